import { describe, expect, it } from 'vitest';
import { playProgram, runProgram } from '../../workflow/generated/programs.js';
import { often, runs } from '../../helpers/runs.js';
import { programOf } from '../../../src/cli/codegen/program.js';
import type { Workflow } from '../../../src/workflow.js';

const workflow: Workflow = {
  '9': { class_type: 'Save', inputs: { images: ['8', 0], name: "it's" }, _meta: { title: 'Save' } },
  '8': {
    class_type: 'Load Image',
    inputs: { image: 'a.png', tags: { __value__: ['a', 'b'] }, more: 1 },
    _meta: { title: 'The picture that is saved' },
  },
};
const definitions = {
  Save: { input: { required: { images: ['IMAGE'], name: ['STRING'] } }, output: [], output_node: true },
  'Load Image': {
    input: { required: { image: [['a.png']], tags: ['COMBO', { options: ['a', 'b'], multiselect: true }] } },
    output: ['IMAGE'],
    output_name: ['The image'],
  },
};

describe('programOf', () => {
  it('writes each node after what it links to, by the names of the declarations', () => {
    expect(programOf(workflow, { types: './nodes.js', definitions }).text).toBe(
      `import { graph } from 'promptwire/workflow';
import type { Nodes } from './nodes.js';

const g = graph<Nodes>();

const thePictureThatIsSaved = g.node(
  'Load Image',
  { image: 'a.png', tags: ['a', 'b'] },
  { id: '8', title: 'The picture that is saved', extra: { more: 1 } },
);
g.Save({ images: thePictureThatIsSaved.The_image_0, name: "it's" }, { id: '9', title: 'Save' });

export const workflow = g.workflow();
`,
    );
  });

  it('writes outputs by slot without definitions, and unknown classes without declarations', () => {
    expect(programOf(workflow, { types: './nodes' }).text).toContain('images: thePictureThatIsSaved[0]');
    const { text } = programOf(workflow);
    expect(text).toContain('const g = graph();\n\nconst thePictureThatIsSaved = g.unknown(');
    expect(text).toContain('images: thePictureThatIsSaved.output(0)');
    // Whatever inputs they have.
    expect(text).toContain('more: 1');
    expect(text).not.toContain('extra');
  });

  it('writes parts of a dynamic input among the inputs, and whatever else the declarations lack apart', () => {
    const required = {
      slot: ['COMFY_DYNAMICSLOT_V3', {}],
      old: ['COMFY_SLOT_V3_OLD', {}],
      own: ['MY_COMFY_A_V3'],
    };
    const inputs = { slot: 1, 'slot.a': 2, slots: 3, old: 4, 'old.a': 5, 'own.a': 6 };
    const { text } = programOf(
      { 1: { class_type: 'A', inputs } },
      { types: './nodes', definitions: { A: { input: { required }, output: [] } } },
    );
    expect(text).toContain(
      "g.A({ slot: 1, 'slot.a': 2, old: 4 }, { extra: { slots: 3, 'old.a': 5, 'own.a': 6 } });",
    );
    expect(runProgram(text)).toEqual({ 1: { class_type: 'A', inputs } });
  });

  it('puts a link that closes a cycle in as it stands, and says so', () => {
    const cyclic = {
      '1': { class_type: 'A', inputs: { x: ['2', 0] } },
      '2': { class_type: 'A', inputs: { x: ['1', 0], y: ['2', 0] } },
    };
    const { text, cycles } = programOf(cyclic);
    expect(cycles).toEqual([
      ['2', 'x'],
      ['2', 'y'],
    ]);
    expect(runProgram(text)).toEqual(cyclic);
  });

  it('names nodes by their titles or classes, and never alike', () => {
    const title = (name: string): Workflow[string] => ({
      class_type: 'CLIPTextEncode',
      inputs: {},
      _meta: { title: name },
    });
    const nodes = {
      a: title('Positive prompt'),
      b: title('class'),
      c: title('x'.repeat(99)),
      d: title('…'),
      e: title('class'),
    };
    const links = Object.keys(nodes).map((id) => [id, [id, 0]] as const);
    const { text } = programOf({ ...nodes, z: { class_type: 'All', inputs: Object.fromEntries(links) } });
    expect([...text.matchAll(/const (\w+) = g\.unknown/gu)].map(([, name]) => name)).toEqual([
      'positivePrompt',
      'class2',
      'clipTextEncode',
      'clipTextEncode2',
      'class3',
    ]);
  });

  it('follows a chain of any length', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [
        `n${at}`,
        { class_type: 'A', inputs: { x: [`n${at + 1}`, 0] } },
      ]),
    );
    expect(programOf(chain).cycles).toEqual([]);
  });

  it('gives programs that build the same workflow, which has no errors where it had none', () => {
    const played = Array.from({ length: runs(150) }, (_, at) => playProgram(at + 1));
    expect(
      played.flatMap(({ problems }, at) => problems.map((problem) => `seed ${at + 1}: ${problem}`)),
    ).toEqual([]);
    expect(played.filter(({ cycles }) => cycles > 0).length).toBeGreaterThan(often(10));
  });
});

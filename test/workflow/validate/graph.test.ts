import { describe, expect, it } from 'vitest';
import { definitions, picture } from './definitions.js';
import { validateWorkflow } from '../../../src/workflow/validate/validate-workflow.js';
import { verdictOf } from '../../../src/workflow/validate/verdict-of.js';

const look = (workflow: unknown, rules?: '0.3.64' | '2026') => {
  const problems = validateWorkflow(workflow, definitions, { rules });
  return {
    verdict: verdictOf(workflow, definitions, problems),
    found: problems.map(({ nodeId, type, input }) =>
      [nodeId, type, ...(input === undefined ? [] : [input])].join(' '),
    ),
  };
};

const image = { class_type: 'Nothing', inputs: {} };
const save = (from: unknown) => ({ class_type: 'Save', inputs: { images: from } });

describe('a workflow', () => {
  it('without problems has none', () => {
    expect(look(picture())).toEqual({ verdict: 'accepted', found: [] });
  });

  it.each([
    [undefined, ['no_prompt']],
    [null, ['server_error']],
    [5, ['server_error']],
    [true, ['server_error']],
    ['text', ['server_error']],
    [['x'], ['server_error']],
    ['', ['prompt_no_outputs']],
    [[], ['prompt_no_outputs']],
    [{}, ['prompt_no_outputs']],
    [{ a: image }, ['prompt_no_outputs']],
  ])('that is %j is refused whole', (workflow, types) => {
    expect(look(workflow)).toEqual({ verdict: 'refused', found: types.map((type) => ` ${type}`) });
  });
});

describe('a node that is none', () => {
  it.each([
    [null],
    [5],
    [true],
    ['a class_type'],
    [['class_type']],
    [{ class_type: [] }],
    [{ class_type: {} }],
  ])('makes the server fail as %j', (node) => {
    expect(look({ bad: node, s: save(['a', 0]), a: image })).toEqual({
      verdict: 'refused',
      found: ['bad server_error'],
    });
  });

  it.each([
    [{}],
    ['text'],
    [[]],
    [{ class_type: undefined }],
    [{ class_type: null }],
    [{ class_type: 7 }],
    [{ class_type: 'save' }],
    [{ class_type: 'Save ' }],
    [{ class_type: 'toString' }],
    [{ class_type: '__proto__' }],
  ])('is refused as %j, needed or not', (node) => {
    const workflow = { bad: node, s: save(['a', 0]), a: image };
    expect(look(workflow)).toEqual({ verdict: 'refused', found: ['bad invalid_prompt'] });
    expect(look(workflow, '2026')).toEqual({ verdict: 'refused', found: ['bad missing_node_type'] });
  });

  it.each([
    [{}, 'it has no class_type.'],
    ['text', 'it is "text", and no node.'],
    [null, 'it is null, and no node.'],
    [{ class_type: 7 }, 'the server has no node class 7.'],
    [{ class_type: [] }, 'the server has no node class a list.'],
  ])('says of %j what it is', (node, message) => {
    expect(validateWorkflow({ bad: node }, definitions)).toMatchObject([{ message: `Node bad: ${message}` }]);
  });

  it('stands beside the others, and before everything else', () => {
    const workflow = { a: null, b: { class_type: 'Gone' }, s: save(['gone', 0]) };
    expect(look(workflow).found).toEqual(['a invalid_prompt', 'b invalid_prompt']);
  });

  it('is every node where there are no definitions', () => {
    for (const none of [null, undefined, [], 'none', {}] as unknown as (typeof definitions)[])
      expect(validateWorkflow({ a: image }, none)).toMatchObject([{ nodeId: 'a', type: 'invalid_prompt' }]);
  });

  it('gets the name of the class that may have been meant', () => {
    const [problem] = validateWorkflow({ a: { class_type: 'Samlper', inputs: {} } }, definitions);
    expect(problem).toMatchObject({ suggestion: 'Sampler' });
    expect(problem?.message).toBe(
      'Node a: the server has no node class "Samlper"; perhaps "Sampler" was meant.',
    );
  });
});

describe('the inputs of a node', () => {
  it.each([
    [{ class_type: 'Save' }, ['s exception_during_validation inputs']],
    [{ class_type: 'Save', inputs: null }, ['s exception_during_validation inputs']],
    [{ class_type: 'Save', inputs: 5 }, ['s exception_during_validation inputs']],
    [{ class_type: 'Save', inputs: [] }, ['s required_input_missing images']],
    [{ class_type: 'Save', inputs: 'none' }, ['s required_input_missing images']],
    [{ class_type: 'Save', inputs: ['images'] }, ['s exception_during_validation inputs']],
    [{ class_type: 'Save', inputs: 'my images' }, ['s exception_during_validation inputs']],
    [{ class_type: 'Save', inputs: {} }, ['s required_input_missing images']],
  ])('are no object in %j', (node, found) => {
    expect(look({ s: node })).toEqual({ verdict: 'refused', found });
  });

  it('get their default where they are missing, unless a misspelt one stands for them', () => {
    const inputs = { ...picture()['3'].inputs };
    Reflect.deleteProperty(inputs, 'steps');
    const missing = (more: object) =>
      validateWorkflow(
        { ...picture(), '3': { class_type: 'Sampler', inputs: { ...inputs, ...more } } },
        definitions,
      ).find(({ type }) => type === 'required_input_missing');
    expect(missing({})?.fix).toBe(20);
    expect(missing({ stesp: 7 })).not.toHaveProperty('fix');
    const several = ['COMBO', { options: ['r'], multiselect: true, default: ['r'] }];
    const known = { T: { input: { required: { tags: several } }, output: [], output_node: true } };
    expect(validateWorkflow({ t: { class_type: 'T', inputs: {} } }, known)[0]?.fix).toEqual({
      __value__: ['r'],
    });
  });

  it('are named as a whole where they are none', () => {
    const message = (node: object) =>
      validateWorkflow({ s: { class_type: 'Save', ...node } }, definitions)[0]?.message;
    expect(message({})).toBe('Node s (Save): inputs are missing.');
    expect(message({ inputs: null })).toBe('Node s (Save): inputs are null.');
  });

  it.each([{}, '', 'none', []])('break the check of a class that looks for a file itself: %j', (inputs) => {
    const load = { l: { class_type: 'LoadImage', inputs }, s: save(['l', 0]) };
    expect(look(load).found).toEqual(['l exception_during_inner_validation image']);
  });

  it('may be null, but not missing, where the class has none', () => {
    expect(look({ a: { class_type: 'Nothing', inputs: null }, s: save(['a', 0]) }).verdict).toBe('accepted');
    expect(look({ a: { class_type: 'Nothing' }, s: save(['a', 0]) }).found).toEqual([
      'a exception_during_inner_validation inputs',
    ]);
    const known = { T: { input: { required: { x: ['INT'] } }, output: [], output_node: true } };
    expect(validateWorkflow({ t: { class_type: 'T', inputs: null } }, known)).toMatchObject([
      { type: 'exception_during_validation', input: 'inputs' },
    ]);
  });

  it('in both groups are required, with the spec of that group', () => {
    expect(look({ b: { class_type: 'Both', inputs: {} } }).found).toEqual(['b required_input_missing x']);
    expect(look({ b: { class_type: 'Both', inputs: { x: 6 } } }).found).toEqual([
      'b value_bigger_than_max x',
    ]);
    expect(look({ b: { class_type: 'Both', inputs: { x: 1 } } }).found).toEqual([]);
  });

  it('are all looked at', () => {
    const workflow = picture();
    Object.assign(workflow['3'].inputs, { steps: 0, cfg: 31, sampler_name: 'none' });
    expect(look(workflow).found).toEqual([
      '3 value_smaller_than_min steps',
      '3 value_bigger_than_max cfg',
      '3 value_not_in_list sampler_name',
    ]);
  });

  it('show only the exception where one throws', () => {
    const workflow = picture();
    Object.assign(workflow['3'].inputs, { steps: 0, model: ['gone', 0], sed: 1 });
    expect(look(workflow).found).toEqual([
      '3 exception_during_inner_validation model',
      '3 unknown_input sed',
    ]);
  });

  it('that JSON does not have are missing', () => {
    expect(look({ s: { class_type: 'Save', inputs: { images: undefined, more: undefined } } }).found).toEqual(
      ['s required_input_missing images'],
    );
  });
});

describe('an unknown input', () => {
  it('is named with the input that was meant', () => {
    const workflow = {
      ...picture(),
      '6': { class_type: 'Text', inputs: { txet: 'a lighthouse', clip: ['4', 1] } },
    };
    const problems = validateWorkflow(workflow, definitions);
    expect(problems).toEqual([
      {
        nodeId: '6',
        input: 'text',
        type: 'required_input_missing',
        severity: 'error',
        message: 'Node 6 (Text): text is missing, and required.',
      },
      {
        nodeId: '6',
        input: 'txet',
        type: 'unknown_input',
        severity: 'warning',
        fix: 'text',
        message: 'Node 6 (Text): txet is no input that Text declares; "text" was meant.',
      },
    ]);
  });

  it('P5: is for the server to know where the class is of a pack', () => {
    const Out = { input: { optional: {} }, output: [], output_node: true, python_module: 'custom_nodes.any' };
    const [problem] = validateWorkflow({ '1': { class_type: 'Out', inputs: { more: 1 } } }, { Out });
    expect(problem).toMatchObject({ type: 'unknown_input', severity: 'warning', serverOnly: true });
    expect(problem?.message).not.toContain('ignores');
  });

  it('is not meant for one that is there, and is one of the editor only beside an upload', () => {
    const inputs = { text: 'a', clip: ['4', 1] };
    const looked = (more: object) => {
      const workflow = { ...picture(), '6': { class_type: 'Text', inputs: { ...inputs, ...more } } };
      return validateWorkflow(workflow, definitions).map(({ type, fix }) => [type, fix]);
    };
    expect(looked({ txt: 'b' })).toEqual([['unknown_input', undefined]]);
    expect(looked({ upload: 'image' })).toEqual([['unknown_input', undefined]]);
  });

  it.each([
    ['upload', []],
    ['AUDIOUI', []],
    ['choose file to upload', []],
    ['uploads', ['unknown_input']],
    ['my upload', ['unknown_input']],
    ['width', ['unknown_input']],
  ])('beside an upload is the state of its button as %j', (name, types) => {
    const image = [['a.png'], { default: 'a.png', image_upload: true }];
    const known = {
      Load: { input: { required: { image, size: ['INT', { min: 0 }] } }, output: [], output_node: true },
    };
    const workflow = { l: { class_type: 'Load', inputs: { image: 'a.png', size: 1, [name]: 1 } } };
    expect(validateWorkflow(workflow, known).map(({ type }) => type)).toEqual(types);
  });

  it("is ignored whatever it holds, as hidden ones and the editor's own are", () => {
    const workflow = {
      a: { class_type: 'LoadImage', inputs: { image: 'a.png', upload: 'image' } },
      s: { class_type: 'Save', inputs: { images: ['a', 0], prompt: 5, Images: ['gone', 0] } },
    };
    expect(look(workflow)).toEqual({ verdict: 'accepted', found: ['s unknown_input Images'] });
  });
});

describe('several outputs', () => {
  const two = (second: object) => ({ a: image, s: save(['a', 0]), ...second });

  it('run in part where one of them is bad', () => {
    expect(look(two({ t: save(['gone', 0]) }))).toEqual({
      verdict: 'partly',
      found: ['t exception_during_validation images', 't output_dropped'],
    });
  });

  it('all run where problems are warnings, or of nodes that none of them needs', () => {
    const workflow = two({ t: { class_type: 'Save', inputs: { images: ['a', 0], more: 1 } } });
    expect(look(workflow)).toEqual({ verdict: 'accepted', found: ['t unknown_input more'] });
    const idle = { nodeId: 'x', type: 'value_not_in_list', severity: 'error', message: '' } as const;
    expect(verdictOf({ ...workflow, x: image }, definitions, [idle])).toBe('accepted');
    expect(verdictOf(null, definitions, [])).toBe('accepted');
  });

  it('do not run where one problem is of the whole', () => {
    const workflow = two({ t: save(['gone', 0]) });
    const problems = validateWorkflow(workflow, definitions);
    const whole = { type: 'no_prompt', severity: 'error', message: '' } as const;
    expect(verdictOf(workflow, definitions, problems)).toBe('partly');
    expect(verdictOf(workflow, definitions, [...problems, whole])).toBe('refused');
  });

  it('are all bad below the same bad node', () => {
    const workflow = { i: { class_type: 'Invert', inputs: {} }, s: save(['i', 0]), t: save(['i', 0]) };
    expect(look(workflow)).toEqual({ verdict: 'refused', found: ['i required_input_missing image'] });
  });

  it('are bad where a node above them is', () => {
    const second = { i: { class_type: 'Invert', inputs: {} }, t: save(['i', 0]) };
    expect(look(two(second))).toEqual({
      verdict: 'partly',
      found: ['i required_input_missing image', 't output_dropped'],
    });
  });

  it('that feed one another are one chain', () => {
    const chain = {
      p: { class_type: 'Preview', inputs: { images: ['q', 0] } },
      q: { class_type: 'Preview', inputs: {} },
    };
    expect(look(chain)).toEqual({ verdict: 'refused', found: ['q required_input_missing images'] });
    expect(look({ ...chain, ...two({}) }).verdict).toBe('partly');
  });
});

describe('nodes that no output needs', () => {
  it('do not run, and are not looked at', () => {
    const workflow = {
      ...picture(),
      x: { class_type: 'Invert', inputs: { image: ['gone', 0] } },
      y: { class_type: 'Invert' },
    };
    expect(look(workflow)).toEqual({
      verdict: 'accepted',
      found: ['x unreachable_node', 'y unreachable_node'],
    });
  });

  it('may depend on each other', () => {
    const workflow = { ...picture(), x: { class_type: 'Invert', inputs: { image: ['x', 0] } } };
    expect(look(workflow)).toEqual({ verdict: 'accepted', found: ['x unreachable_node'] });
  });
});

describe('a cycle', () => {
  const invert = (from: string, slot = 0) => ({ class_type: 'Invert', inputs: { image: [from, slot] } });

  it('makes the outputs below it bad', () => {
    const cycle = { x: invert('y'), y: invert('z'), z: invert('x'), s: save(['z', 0]) };
    const cycles = ['x', 'y', 'z'].map((id) => `${id} dependency_cycle`);
    expect(look(cycle)).toEqual({ verdict: 'refused', found: cycles });
    expect(look({ ...cycle, a: image, t: save(['a', 0]) })).toEqual({
      verdict: 'partly',
      found: [...cycles, 's output_dropped'],
    });
  });

  it('of one node is a cycle, and other errors stay', () => {
    const self = {
      class_type: 'Sampler',
      inputs: { ...picture()['3'].inputs, steps: 0, positive: ['x', 0] },
    };
    const workflow = { ...picture(), i: invert('i'), s: save(['i', 0]), t: save(['8', 0]) };
    expect(look(workflow)).toEqual({ verdict: 'partly', found: ['i dependency_cycle', 's output_dropped'] });
    expect(
      look({ ...picture(), x: self, '3': { ...self, inputs: { ...self.inputs, positive: ['6', 0] } } }).found,
    ).toContain('3 value_smaller_than_min steps');
  });

  it('says how it goes', () => {
    const [first] = validateWorkflow({ x: invert('y'), y: invert('x'), s: save(['y', 0]) }, definitions);
    expect(first?.message).toBe('Node x (Invert) needs its own output, by way of y.');
    const [self] = validateWorkflow({ x: invert('x'), s: save(['x', 0]) }, definitions);
    expect(self?.message).toBe('Node x (Invert) needs its own output.');
    expect(self).not.toHaveProperty('input');
  });

  it.each([
    [9, 8, false],
    [10, 8, true],
    [30, 8, true],
  ])('of %i nodes names up to nine of them', (length, named, hasMore) => {
    const ids = Array.from({ length }, (_, at) => `n${at}`);
    const nodes = ids.map((id, at) => [id, invert(`n${(at + 1) % length}`)] as const);
    const [first] = validateWorkflow({ ...Object.fromEntries(nodes), s: save(['n0', 0]) }, definitions);
    const others = first?.message.replace(/^.* by way of |\.$/gu, '').split(', ') ?? [];
    expect(others.filter((id) => ids.includes(id))).toHaveLength(named);
    expect(others.at(-1) === '…').toBe(hasMore);
  });

  it('is none over a link that does not hold', () => {
    const workflow = {
      x: invert('y'),
      y: { class_type: 'Invert', inputs: { image: ['x', 1] } },
      s: save(['x', 0]),
    };
    expect(look(workflow).found).toEqual(['y exception_during_inner_validation image']);
  });
});

describe('a long chain', () => {
  const chain = (length: number) =>
    Object.fromEntries([
      ['n0', image],
      ...Array.from(
        { length: length - 2 },
        (_, at) => [`n${at + 1}`, { class_type: 'Invert', inputs: { image: [`n${at}`, 0] } }] as const,
      ),
      ['s', save([`n${length - 2}`, 0])],
    ]);

  it('passes up to the length that engines were seen to take', () => {
    expect(look(chain(983))).toEqual({ verdict: 'accepted', found: [] });
    expect(look(chain(984))).toEqual({ verdict: 'accepted', found: ['s chain_too_long'] });
    expect(validateWorkflow(chain(984), definitions)[0]?.serverOnly).toBe(true);
  });
});

describe('dynamic inputs', () => {
  const dynamic = (inputs: object) =>
    look({ a: image, d: { class_type: 'Dynamic', inputs } }).found.filter((one) => !one.startsWith('a '));

  it('are those of the choice', () => {
    expect(dynamic({ mode: 'plain' })).toEqual([]);
    expect(dynamic({ mode: 'seeded' })).toEqual(['d required_input_missing mode.seed']);
    expect(dynamic({ mode: 'seeded', 'mode.seed': 10 })).toEqual(['d value_bigger_than_max mode.seed']);
    expect(dynamic({ mode: 'seeded', 'mode.seed': 3, 'mode.mask': ['a', 0] })).toEqual([
      'd return_type_mismatch mode.mask',
    ]);
    expect(dynamic({ mode: 'other', 'mode.seed': 10 })).toEqual(['d value_not_in_list mode']);
  });

  /** A choice that brings a choice, and so on; each is `k`. */
  const nested = (depth: number): readonly unknown[] => [
    'COMFY_DYNAMICCOMBO_V3',
    { options: [{ key: 'k', inputs: { required: depth === 0 ? {} : { k: nested(depth - 1) } } }] },
  ];
  const nestedUpTo = (depth: number, last: unknown) => {
    const names = Array.from({ length: depth + 1 }, (_, at) => `${'k.'.repeat(at)}k`);
    const inputs = Object.fromEntries(names.map((name, at) => [name, at === depth ? last : 'k']));
    const known = { D: { input: { required: { k: nested(12) } }, output: [], output_node: true } };
    return validateWorkflow({ d: { class_type: 'D', inputs } }, known).map(({ type }) => type);
  };

  it('are followed for eight levels, and any value is right below', () => {
    expect(nestedUpTo(7, 'other')).toEqual(['value_not_in_list']);
    expect(nestedUpTo(8, 'other')).toEqual([]);
    expect(nestedUpTo(9, 'other')).toEqual([]);
  });

  it('take a choice from a node that gives one', () => {
    const types = { class_type: 'Types', inputs: {} };
    const given = (slot: number) => ({
      t: types,
      d: { class_type: 'Dynamic', inputs: { mode: ['t', slot] } },
    });
    expect(look(given(6)).found).toEqual([]);
    expect(look(given(0)).found).toEqual(['d return_type_mismatch mode']);
  });

  it('stand beside plain ones, and beside others of their choice', () => {
    const options = [{ key: 'k', inputs: { required: { grow: ['COMFY_AUTOGROW_V3', {}] } } }];
    const required = { mode: ['COMFY_DYNAMICCOMBO_V3', { options }], size: ['INT'] };
    const known = { ...definitions, D: { input: { required }, output: [], output_node: true } };
    const given = { size: 1, mode: 'k', 'mode.grow.a': ['a', 0], 'mode.other': 1 };
    const problems = validateWorkflow({ a: image, d: { class_type: 'D', inputs: given } }, known);
    expect(problems.map(({ type, input }) => [type, input])).toEqual([['unknown_input', 'mode.other']]);
  });

  it('grow, and their links are followed', () => {
    expect(dynamic({ mode: 'plain', 'images.image0': ['a', 0] })).toEqual([]);
    expect(dynamic({ mode: 'plain', 'images.image0': ['gone', 0] })).toEqual([
      'd exception_during_validation images.image0',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import type { NodeDefinitions } from '../../../src/workflow/definitions.js';
import { toApiWorkflow, validateWorkflow } from '../../../src/workflow.js';

const of = (module: string) => ({ input: {}, output: [], output_node: true, python_module: module });

const definitions: NodeDefinitions = {
  SaveImage: of('nodes'),
  VHS_LoadVideo: of('custom_nodes.ComfyUI-VideoHelperSuite'),
  'Blur (acme)': of('custom_nodes.acme-tools'),
  'Sharpen (acme)': of('custom_nodes.acme-tools'),
  'Blur (image)': of('custom_nodes.one'),
  'Sharpen (image)': of('custom_nodes.another'),
  'Lone (single)': of('custom_nodes.lone'),
  ABC_One: of('custom_nodes.abc.nodes'),
  ABC_Two: of('custom_nodes.abc.nodes'),
};

const missing = (className: string) =>
  validateWorkflow(
    { 1: { class_type: className, inputs: {} }, 2: { class_type: 'SaveImage', inputs: {} } },
    definitions,
  );

describe('the pack of a class that the server lacks', () => {
  it.each([
    ['VHS_VideoCombine', 'comfyui-videohelpersuite', true],
    ['Power Lora Loader (rgthree)', 'rgthree-comfy', false],
    ['ShowText|pysssss', 'comfyui-custom-scripts', false],
    ['ImageResize+', 'comfyui_essentials', false],
    ['UnetLoaderGGUF', 'comfyui-gguf', false],
    ['Glow (acme)', 'acme-tools', true],
    ['ABC_Three', 'abc.nodes', true],
  ])('P7 is named of a workflow that names none: %s', (className, pack, isThere) => {
    const [problem, ...more] = missing(className);
    expect(more).toEqual([]);
    const version = isThere ? ', of which the server has other classes' : '';
    expect(problem).toMatchObject({ nodeId: '1', type: 'invalid_prompt', pack });
    expect(problem?.message).toBe(
      `Node 1: the server has no node class "${className}"; by its name, it is perhaps of the pack ${pack}${version}.`,
    );
  });

  it.each(['NoSuchNode', 'Glow (image)', 'Other (single)', 'XYZ_Node', 'Saveimage'])(
    'P7 is not guessed where the name tells none, or a spelling is nearer: %s',
    (className) => {
      expect(missing(className)[0]).not.toHaveProperty('pack');
    },
  );

  it('P7 is what a file of the editor says before what the name tells', () => {
    const convert = (properties: object) =>
      toApiWorkflow(
        { nodes: [{ id: 1, type: 'VHS_VideoCombine', inputs: [], outputs: [], properties }], links: [] },
        definitions,
      ).problems;
    expect(convert({ cnr_id: 'a-fork' })).toMatchObject([
      {
        type: 'missing_node_type',
        pack: 'a-fork',
        message: expect.stringContaining('by the file, its pack is a-fork') as string,
      },
    ]);
    expect(convert({})).toMatchObject([
      {
        pack: 'comfyui-videohelpersuite',
        message: expect.stringContaining('by its name, it is perhaps') as string,
      },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { type NodeDefinitions, paidNodes, preflightReport } from '../../../src/workflow.js';

const classOf = (required: object, more: object = {}) => ({
  ...{ input: { required }, output: ['IMAGE'], output_node: false },
  ...more,
});

const definitions: NodeDefinitions = {
  Checkpoint: classOf({ ckpt: [['a.safetensors', 'sub/b.safetensors']] }, { output: ['MODEL'] }),
  Lora: classOf({ lora: [[]], model: ['MODEL'] }, { output: ['MODEL'] }),
  Paint: classOf({ model: ['MODEL'], size: ['INT', {}] }),
  LoadImage: classOf({ image: [['there.png'], { image_upload: true }] }),
  Partner: classOf(
    { prompt: ['STRING', {}], size: [['1K', '2K']] },
    {
      api_node: true,
      price_badge: {
        engine: 'jsonata',
        expr: '{"usd": widgets.size = "2K" ? 0.2 : 0.1}',
        depends_on: { widgets: [{ name: 'size', type: 'COMBO' }], inputs: ['image'], input_groups: [] },
      },
    },
  ),
  Save: classOf({ images: ['IMAGE'] }, { output: [], output_node: true }),
};

const node = (class_type: string, inputs: Record<string, unknown> = {}) => ({ class_type, inputs });

const painted = (ckpt: string, more: Record<string, ReturnType<typeof node>> = {}) => ({
  1: node('Checkpoint', { ckpt }),
  2: node('Paint', { model: ['1', 0], size: 64 }),
  3: node('Save', { images: ['2', 0] }),
  ...more,
});

describe('preflightReport', () => {
  it('says of a workflow with everything there that it runs, and that nothing is known of the plan', () => {
    expect(preflightReport(painted('a.safetensors'), definitions)).toMatchObject({
      verdict: 'accepted',
      workflow: painted('a.safetensors'),
      ...{ problems: [], missingClasses: [], missingModels: [], unknownModels: [] },
      ...{ paidNodes: [], uploads: [], replaced: [], plan: { paidNodes: 'unknown' } },
    });
  });

  it('names classes that are missing once each, with the pack that the file names for them', () => {
    const ui = {
      nodes: [
        { id: 3, type: 'Save', inputs: [] },
        { id: 7, type: 'Glow', properties: { cnr_id: 'acme-glow' }, inputs: [] },
      ],
      definitions: {
        subgraphs: [{ id: 'x', nodes: [{ id: 8, type: 'Haze', properties: { aux_id: 'acme/haze' } }] }],
      },
    };
    const workflow = painted('a.safetensors', {
      ...{ 7: node('Glow'), 8: node('Haze'), 9: node('Glow') },
      10: node('VHS_VideoCombine'),
      11: node('Own'),
    });
    const report = preflightReport(workflow, definitions, { ui });
    expect(report.verdict).toBe('refused');
    expect(report.missingClasses).toEqual([
      { className: 'Glow', nodeIds: ['7', '9'], pack: 'acme-glow' },
      { className: 'Haze', nodeIds: ['8'], pack: 'acme/haze' },
      { className: 'VHS_VideoCombine', nodeIds: ['10'], pack: 'comfyui-videohelpersuite' },
      { className: 'Own', nodeIds: ['11'] },
    ]);
    expect(preflightReport(ui, definitions).missingClasses).toEqual([
      { className: 'Glow', nodeIds: ['7'], pack: 'acme-glow' },
    ]);
  });

  it('names models that the lists lack, with address and folder of the file, and says which it can not judge', () => {
    const ui = {
      nodes: [
        {
          id: 1,
          type: 'Checkpoint',
          properties: {
            models: [{ name: 'c.safetensors', url: 'https://models.example/c', directory: 'checkpoints' }],
          },
        },
      ],
      models: [
        { name: 'b.safetensors', directory: 'checkpoints' },
        { name: 'up.pth', url: 'https://models.example/up', directory: 'upscale_models' },
        { name: 'd.safetensors', directory: 'vae' },
        { name: 'e.safetensors', directory: 'vae' },
      ],
    };
    const workflow = painted('sub/c.safetensors', {
      4: node('Lora', { lora: 'f.safetensors', model: ['1', 0] }),
      5: node('Paint', { model: ['4', 0], size: 64 }),
      6: node('Save', { images: ['5', 0] }),
      // No output needs it.
      9: node('Checkpoint', { ckpt: 'g.safetensors' }),
    });
    const { missingModels, unknownModels, verdict } = preflightReport(workflow, definitions, {
      ui,
      models: { vae: ['sub\\d.safetensors'], checkpoints: ['sub/b.safetensors'] },
    });
    expect(missingModels).toEqual([
      {
        ...{ name: 'sub/c.safetensors', nodeId: '1', input: 'ckpt' },
        ...{ url: 'https://models.example/c', directory: 'checkpoints' },
      },
      { name: 'f.safetensors', nodeId: '4', input: 'lora' },
      { name: 'e.safetensors', directory: 'vae' },
    ]);
    expect(unknownModels).toEqual([
      { name: 'up.pth', url: 'https://models.example/up', directory: 'upscale_models' },
    ]);
    // A list of no files is no list of files, so that a value beside it is refused.
    expect(verdict).not.toBe('accepted');
  });

  it('names the paid nodes that run, with the expression of their price and the values that it reads', () => {
    const workflow = painted('a.safetensors', {
      4: node('Partner', { prompt: 'a cat', size: '2K', image: ['2', 0] }),
      5: node('Save', { images: ['4', 0] }),
      6: node('Partner', { prompt: 'never', size: '1K' }),
    });
    const report = preflightReport(workflow, definitions);
    expect(report.verdict).toBe('accepted');
    expect(report.paidNodes).toEqual([
      {
        nodeId: '4',
        className: 'Partner',
        price: {
          engine: 'jsonata',
          expression: '{"usd": widgets.size = "2K" ? 0.2 : 0.1}',
          values: { size: '2K', image: undefined },
        },
      },
    ]);
    expect(preflightReport(workflow, definitions, { targets: ['3'] }).paidNodes).toEqual([]);
    expect(paidNodes(workflow, definitions, ['5'])).toHaveLength(1);
  });

  it.each([
    [{ can_run_partner_nodes: false }, 'refused', 'refused'],
    [{ can_run_partner_nodes: true }, 'open', 'accepted'],
    [{}, 'unknown', 'accepted'],
    [undefined, 'unknown', 'accepted'],
  ] as const)('reads the plan from %o', (features, paid, verdict) => {
    const workflow = {
      1: node('Partner', { prompt: '', size: '1K' }),
      2: node('Save', { images: ['1', 0] }),
    };
    const report = preflightReport(workflow, definitions, { features });
    expect([report.plan.paidNodes, report.verdict]).toEqual([paid, verdict]);
    // The plan says nothing of a workflow without paid nodes.
    expect(preflightReport(painted('a.safetensors'), definitions, { features }).verdict).toBe('accepted');
  });

  it('counts what a node of a missing class needs, as that may be the output', () => {
    const workflow = {
      1: { class_type: 'Loader', inputs: { ckpt_name: 'gone.safetensors' } },
      2: { class_type: 'NoSuchSaver', inputs: { model: ['1', 0] } },
    };
    const classes = {
      Loader: {
        input: { required: { ckpt_name: [['there.safetensors']] } },
        output: ['MODEL'],
        api_node: true,
      },
    } as unknown as NodeDefinitions;
    const found = preflightReport(workflow, classes);
    expect(found).toMatchObject({
      missingClasses: [{ className: 'NoSuchSaver' }],
      missingModels: [{ name: 'gone.safetensors' }],
      paidNodes: [{ nodeId: '1' }],
    });
    expect(preflightReport({ 1: workflow[1] }, classes).paidNodes).toEqual([]);
  });

  it('has the runs of a free account', () => {
    const features = { free_tier_balance: { allowance: 10, used: 9, remaining: 1 }, max_upload_size: 5.5 };
    expect(preflightReport({}, definitions, { features }).plan).toEqual({
      paidNodes: 'unknown',
      freeRuns: { allowance: 10, used: 9, remaining: 1 },
      maxUploadBytes: 5.5,
    });
  });

  it('names the files that have to be uploaded, and holds their size against the bound', () => {
    const workflow = Object.fromEntries(
      ['mine.png', 'there.png', 'out.png [output]', 'big.png', `blake3:${'0'.repeat(64)}`].flatMap(
        (image, at) => [
          [`${at}`, node('LoadImage', { image })],
          [`save${at}`, node('Save', { images: [`${at}`, 0] })],
        ],
      ),
    );
    const report = preflightReport(workflow, definitions, {
      features: { max_upload_size: 1000 },
      files: { 'big.png': 1001, 'there.png': 1000 },
    });
    expect(report.uploads).toEqual([
      { nodeId: '0', input: 'image', name: 'mine.png' },
      { nodeId: '1', input: 'image', name: 'there.png', bytes: 1000, isTooLarge: false },
      { nodeId: '3', input: 'image', name: 'big.png', bytes: 1001, isTooLarge: true },
    ]);
    expect(report.verdict).toBe('refused');
    // An input that an upload fills has no problem of its own.
    expect(report.problems.map(({ nodeId }) => nodeId)).toEqual(['0', '4']);
  });

  it('checks only what the targets need, unless a class is missing', () => {
    const workflow = painted('a.safetensors', { 4: node('Save', {}) });
    expect(preflightReport(workflow, definitions).verdict).toBe('partly');
    expect(preflightReport(workflow, definitions, { targets: ['3'] }).verdict).toBe('accepted');
    expect(preflightReport(workflow, definitions, { targets: ['2'] }).verdict).toBe('refused');
    const broken = { ...workflow, 5: node('Own') };
    expect(preflightReport(broken, definitions, { targets: ['3'] }).verdict).toBe('refused');
  });

  it.each([null, 5, 'text', [], { 1: null }, { 1: { class_type: 3 } }, { nodes: [null] }, { nodes: 'x' }])(
    'reports %o without throwing',
    (workflow) => {
      const report = preflightReport(workflow as never, definitions, {
        features: 'x',
        replacements: [],
        models: { a: [] },
      });
      expect(report.verdict).toBe('refused');
    },
  );
});

import { describe, expect, it } from 'vitest';
import { fileOf, listedModels } from '../../../src/workflow/preflight/listed-models.js';
import { findModels } from '../../../src/workflow/preflight/models.js';
import { namedFiles, takesUploads } from '../../../src/workflow/preflight/named-files.js';
import { neededUploads } from '../../../src/workflow/preflight/needed-uploads.js';
import { packsInFile } from '../../../src/workflow/preflight/nodes-in-file.js';
import { planOf } from '../../../src/workflow/preflight/plan.js';
import { readDefinition } from '../../../src/workflow/definitions.js';
import { reportWithoutClasses } from '../../../src/workflow/preflight/report-without-classes.js';

const hash = 'ab'.repeat(32);

/** The files that an input of this specification names by this value. */
const named = (spec: readonly unknown[], value: unknown, className = 'A', input = 'x') =>
  namedFiles(
    { 1: { class_type: className, inputs: { [input]: value } } },
    { [className]: { input: { required: { [input]: spec } }, output: [] } },
    new Set(['1']),
  ).map(({ name, isUploaded, isListed }) => [name, isUploaded, isListed]);

describe('the files that an input names', () => {
  it.each<readonly [readonly unknown[], unknown, unknown]>([
    [[['a.png'], { image_upload: true }], 'a.png', [['a.png', true, true]]],
    [[['a.png'], { image_upload: true }], 'b.png', [['b.png', true, false]]],
    [[['a.png'], { animated_image_upload: true }], 'b', [['b', true, false]]],
    [[['a.wav'], { audio_upload: true }], 'b', [['b', true, false]]],
    [[['a.mp4'], { video_upload: true }], 'b', [['b', true, false]]],
    [[['a.glb'], { file_upload: true }], 'b', [['b', true, false]]],
    [[['a.png'], { image_upload: true }], 'a.png [input]', [['a.png [input]', true, true]]],
    [[['a.png'], { image_upload: true }], 'b.png [output]', [['b.png [output]', true, true]]],
    [[['a.png'], { image_upload: true }], 'b.png [temp] ', [['b.png [temp] ', true, true]]],
    [[['a.png'], { image_upload: true }], hash, [[hash, true, true]]],
    [[['a.png'], { image_upload: true }], `blake3:${hash}.png`, [[`blake3:${hash}.png`, true, true]]],
    [[['a.png'], { image_upload: true }], hash.slice(1), [[hash.slice(1), true, false]]],
    [[['a.png'], { image_upload: true }], '', []],
    [[['a.png'], { image_upload: true }], ['1', 0], []],
    [[['a.png'], { image_upload: true }], { __value__: 'b.png' }, [['b.png', true, false]]],
    [['STRING', { image_upload: true }], 'b.png', [['b.png', true, true]]],
    [[['a.pt', 'b.pt']], 'c.pt', [['c.pt', false, false]]],
    [[['a.pt', 'b.pt']], 'a.pt', [['a.pt', false, true]]],
    [[['a.pt', 'b.pt']], 'c.pt [output]', [['c.pt [output]', false, false]]],
    [[['euler', 'heun']], 'a.pt', []],
    [[[]], 'a.safetensors', [['a.safetensors', false, false]]],
    [[[]], 'euler', []],
    [['STRING'], 'a.pt', []],
    [
      ['COMBO', { options: ['a.pt'], multiselect: true }],
      { __value__: ['a.pt', 'b.pt', 3] },
      [
        ['a.pt', false, true],
        ['b.pt', false, false],
      ],
    ],
    [['COMBO', { options: ['a.pt'] }], { __value__: ['a.pt'] }, []],
  ])('%o by %o are %o', (spec, value, files) => {
    expect(named(spec, value)).toEqual(files);
  });

  it.each(['safetensors', 'sft', 'ckpt', 'pt', 'pth', 'bin', 'gguf', 'onnx', 'ONNX'])(
    'are models by their names where the service lists none: .%s',
    (extension) => {
      expect(named([[]], `a.${extension}`)).toHaveLength(1);
      expect(named([[]], `a.${extension}x`)).toEqual([]);
    },
  );

  it('are uploads where the engine’s own loaders take them', () => {
    const takes = (className: string, input: string) => {
      const read = readDefinition({ A: { input: { required: { [input]: ['STRING'] } }, output: [] } }, 'A');
      return takesUploads(read!.inputs[0]!, className);
    };
    const loaders = [
      ...[
        ['LoadImage', 'image'],
        ['LoadImageMask', 'image'],
        ['LoadImageOutput', 'image'],
      ],
      ...[
        ['LoadLatent', 'latent'],
        ['LoadAudio', 'audio'],
        ['LoadVideo', 'file'],
      ],
    ] as const;
    expect(loaders.map(([name, input]) => takes(name, input))).toEqual(loaders.map(() => true));
    expect([takes('LoadImage', 'mask'), takes('Other', 'image')]).toEqual([false, false]);
  });

  it('are none of nodes that do not run, and of classes that are not known', () => {
    const workflow = {
      1: { class_type: 'A', inputs: { x: 'a.pt' } },
      2: { class_type: 'B', inputs: { x: 'a.pt' } },
    };
    const definitions = { A: { input: { required: { x: [[]] } }, output: [] } };
    expect(namedFiles(workflow, definitions, new Set(['2']))).toEqual([]);
    expect(namedFiles(workflow, definitions, new Set(['1', '2']))).toHaveLength(1);
    expect(
      namedFiles({ 1: { class_type: 'A', inputs: null as never } }, definitions, new Set(['1'])),
    ).toEqual([]);
  });
});

describe('the models that a file of the editor lists', () => {
  it('are those of the whole and of its nodes, as far as each is told', () => {
    const ui = {
      models: [{ name: 'a' }, { name: 5 }, null, { name: 'b', url: 5, directory: 'vae' }],
      nodes: [
        { id: 3, properties: { models: [{ name: 'c', url: 'u' }] } },
        { id: 4, properties: null },
        null,
      ],
    };
    expect(listedModels(ui)).toStrictEqual([
      { name: 'a' },
      { name: 'b', directory: 'vae' },
      { name: 'c', nodeId: '3', url: 'u' },
    ]);
    expect(listedModels({ models: 'x', nodes: 5 } as never)).toEqual([]);
  });

  it('are the same by the last part of their path, of either separator', () => {
    expect(['a', 'b/a', 'b\\a', 'c/b\\a', 'c\\b/a', ''].map(fileOf)).toEqual(['a', 'a', 'a', 'a', 'a', '']);
  });

  it('have packs by class, where the file names one', () => {
    const nodes = [
      { type: 'A', properties: { cnr_id: 'a-pack' } },
      { type: 'B', properties: {} },
      { type: 'C', properties: { aux_id: 'me/c' } },
    ];
    expect([...packsInFile({ nodes })]).toEqual([
      ['A', 'a-pack'],
      ['C', 'me/c'],
    ]);
  });

  const file = (name: string, more: object = {}) => ({
    ...{ nodeId: '1', input: 'x', name, isUploaded: false, isListed: false },
    ...more,
  });

  it('tell address and folder of those that an input names and the service lacks', () => {
    const ui = {
      models: [
        { name: 'a.pt', url: 'first', directory: 'vae' },
        { name: 'sub/a.pt', url: 'second' },
        { name: 'b.pt', directory: 'vae' },
      ],
    };
    const files = [
      file('x/a.pt'),
      file('b.pt'),
      file('c.pt'),
      file('d.pt', { isListed: true }),
      file('e', { isUploaded: true }),
    ];
    expect(findModels(files, { nodes: [], ...ui })).toEqual({
      missing: [
        { name: 'x/a.pt', nodeId: '1', input: 'x', url: 'first', directory: 'vae' },
        { name: 'b.pt', nodeId: '1', input: 'x', directory: 'vae' },
        { name: 'c.pt', nodeId: '1', input: 'x' },
      ],
      unknown: [],
    });
    expect(findModels(files.slice(3), undefined)).toEqual({ missing: [], unknown: [] });
  });

  it('are missing, there or unknown by their folder, once each', () => {
    const models = [
      ...[
        { name: 'a.pt', directory: 'vae' },
        { name: 'a.pt', directory: 'vae', url: 'u' },
        { name: 'a.pt', directory: 'loras' },
      ],
      ...[{ name: 'b.pt', directory: 'vae' }, { name: 'c.pt' }, { name: 'd.pt', directory: 'other' }],
    ];
    const { missing, unknown } = findModels([], { nodes: [], models }, { vae: ['sub/b.pt'], loras: [] });
    expect(missing).toEqual([
      { name: 'a.pt', directory: 'vae' },
      { name: 'a.pt', directory: 'loras' },
    ]);
    expect(unknown).toEqual([{ name: 'c.pt' }, { name: 'd.pt', directory: 'other' }]);
    // What an input names is judged there.
    expect(
      findModels([file('b.pt', { isListed: true })], { nodes: [], models: models.slice(3, 4) }, { vae: [] })
        .missing,
    ).toEqual([]);
  });
});

it('files are uploads where the service lacks them or the caller has them', () => {
  const file = (name: string, isListed: boolean, isUploaded = true) => ({
    nodeId: '1',
    input: 'x',
    name,
    isUploaded,
    isListed,
  });
  const all = [
    file('a', false),
    file('b', true),
    file('c', true),
    file('d', false, false),
    file('toString', true),
    file('valueOf', false),
  ];
  const place = { nodeId: '1', input: 'x' };
  expect(neededUploads(all, { c: 10 }, undefined)).toEqual([
    { ...place, name: 'a' },
    { ...place, name: 'c', bytes: 10 },
    { ...place, name: 'valueOf' },
  ]);
  const tooLarge = (bound: number) =>
    neededUploads(all, { c: 10 }, bound).map(({ isTooLarge }) => isTooLarge);
  expect([tooLarge(10), tooLarge(9)]).toEqual([
    [undefined, false, undefined],
    [undefined, true, undefined],
  ]);
});

it('a plan is read of what a service says, as far as it says it', () => {
  expect(
    planOf({ can_run_partner_nodes: 'no', max_upload_size: 0, free_tier_balance: { allowance: 1, used: 1 } }),
  ).toEqual({
    paidNodes: 'unknown',
  });
  for (const lacks of ['allowance', 'used', 'remaining'])
    expect(
      planOf({ free_tier_balance: { allowance: 1, used: 1, remaining: 0, [lacks]: '1' } }),
    ).not.toHaveProperty('freeRuns');
  expect(planOf({ max_upload_size: '5' })).not.toHaveProperty('maxUploadBytes');
});

it('without node classes the workflow itself tells its files and models', () => {
  const workflow = {
    1: { class_type: 'LoadImage', inputs: { image: 'a.png', mask: 'b.png' } },
    2: { class_type: 'Loader', inputs: { name: 'c.safetensors', text: 'd', link: ['1', 0], empty: '' } },
    3: { class_type: 'Broken', inputs: null as never },
    4: { class_type: 'LoadImage', inputs: { image: ['1', 0] } },
    5: { class_type: 'LoadImage', inputs: { image: '' } },
  };
  const report = reportWithoutClasses(workflow, { files: { 'a.png': 5 }, features: { max_upload_size: 5 } });
  expect(report).toMatchObject({
    ...{ verdict: 'unknown', workflow, missingClasses: [], missingModels: [], paidNodes: [], replaced: [] },
    uploads: [{ nodeId: '1', input: 'image', name: 'a.png', bytes: 5, isTooLarge: false }],
    unknownModels: [{ name: 'c.safetensors', nodeId: '2', input: 'name' }],
    problems: [{ type: 'not_validated', severity: 'warning' }],
  });
  expect(
    reportWithoutClasses(workflow, { files: { 'a.png': 6 }, features: { max_upload_size: 5 } }).verdict,
  ).toBe('refused');
  const ui = { nodes: [], links: [], models: [{ name: 'e.pt', directory: 'vae' }] };
  expect(reportWithoutClasses(ui, { models: { vae: [] } })).toMatchObject({
    ...{ missingModels: [{ name: 'e.pt', directory: 'vae' }], unknownModels: [], uploads: [] },
  });
  expect(reportWithoutClasses(ui, {})).not.toHaveProperty('workflow');
  expect(reportWithoutClasses(workflow, { ui })).toMatchObject({ unknownModels: [{}, { name: 'e.pt' }] });
});

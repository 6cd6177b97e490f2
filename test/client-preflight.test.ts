import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, toPromise, type Workflow } from '../src/node.js';
import { type EmulatorOptions, startEmulator } from '../src/emulator.js';
import { lastValueFrom } from 'rxjs';
import { preflightReport } from '../src/workflow.js';

/** An emulator, and a client of it. */
const service = async (options: EmulatorOptions = {}) => {
  const emulator = await startEmulator({ speed: Infinity, ...options });
  const client = createClient(emulator);
  onTestFinished(async () => {
    await client.close();
    await emulator.close();
  });
  const asked = () => emulator.requests.map(({ method, url }) => `${method} ${url}`);
  return { emulator, client, asked };
};

const node = (class_type: string, inputs: Record<string, unknown> = {}) => ({ class_type, inputs });
const empty = node('EmptyImage', { width: 64, height: 64, batch_size: 1, color: 0 });
const saved = (id: string) => node('SaveImage', { images: [id, 0], filename_prefix: 'a' });
const resized: Workflow = {
  1: empty,
  2: node('ResizeImagesByLongerEdge', { images: ['1', 0], longer_edge: 32 }),
  3: saved('2'),
};
const paid: Workflow = { 1: node('PartnerImageNode', { prompt: 'a cat', seed: 1 }), 2: saved('1') };
const loaded = (checkpoint: string): Workflow => ({
  1: node('CheckpointLoaderSimple', { ckpt_name: checkpoint }),
  2: node('EmptyLatentImage', { width: 64, height: 64, batch_size: 1 }),
  3: node('VAEDecode', { samples: ['2', 0], vae: ['1', 2] }),
  4: saved('3'),
});

describe('client.preflight', () => {
  it('asks for classes and features, and for nothing else where nothing is missing', async () => {
    const { client, asked } = await service();
    const report = await toPromise(client.preflight({ 1: empty, 2: saved('1') }));
    expect(report).toMatchObject({
      verdict: 'accepted',
      problems: [],
      plan: { maxUploadBytes: 50 * 2 ** 20 },
    });
    expect(asked().toSorted()).toEqual([
      'GET /api/features',
      'GET /api/object_info?include_user_models=true',
    ]);
  });

  it('asks for no classes that the program has', async () => {
    const { client, asked } = await service();
    const definitions = await toPromise(client.rest.objectInfo({ nodeClass: 'EmptyImage' }));
    const { missingClasses } = await toPromise(
      client.preflight({ 1: empty, 2: saved('1') }, { definitions }),
    );
    expect(missingClasses).toMatchObject([{ className: 'SaveImage' }]);
    expect(asked().filter((one) => one.startsWith('GET /api/object_info'))).toEqual([
      'GET /api/object_info/EmptyImage',
    ]);
  });

  it('knows what a service replaces, as the service shows it', async () => {
    const { client } = await service({ dialect: 'local', switches: { nodeReplacements: true } });
    const { replaced, verdict, missingClasses } = await toPromise(client.preflight(resized));
    expect({ verdict, missingClasses }).toEqual({ verdict: 'accepted', missingClasses: [] });
    expect(replaced).toEqual([
      {
        ...{ nodeId: '2', className: 'ResizeImagesByLongerEdge', newClass: 'ImageScaleToMaxDimension' },
        droppedInputs: [],
      },
    ]);
    const { promptId } = await toPromise(client.submit(resized));
    await toPromise(client.job(promptId).outputs);
    const { record } = await toPromise(client.rest.history(promptId));
    expect((record['prompt'] as readonly unknown[])[2]).toMatchObject({
      2: {
        class_type: 'ImageScaleToMaxDimension',
        inputs: { image: ['1', 0], largest_size: 32, upscale_method: 'lanczos' },
      },
    });
  });

  it.each([
    { dialect: 'local', engine: '0.26' },
    { dialect: 'local', engine: 'latest' },
    { profile: '2026-11' },
  ] as const)('strict validation refuses nothing that the service replaces: %o', async (options) => {
    const { client } = await service(options);
    const last = await lastValueFrom(client.run(resized, { validate: 'strict', targets: ['3'] }));
    expect(last).toMatchObject({ phase: 'completed', problems: [] });
    const lacking = { ...resized, 2: node('ResizeImagesByLongerEdge', { images: ['1', 0] }) };
    const refused = await client.submit(lacking, { validate: 'strict' })();
    expect(refused).toMatchObject({ left: { _tag: 'InvalidWorkflow', problems: [{ nodeId: '2' }] } });
  });

  it('gives the replacements to the report of a program', async () => {
    const { client } = await service({ dialect: 'local', engine: 'latest' });
    const definitions = await toPromise(client.rest.objectInfo());
    const replacements = await toPromise(client.rest.nodeReplacements());
    const report = preflightReport(resized, definitions, { replacements });
    expect([report.verdict, report.problems, report.replaced.length]).toEqual(['accepted', [], 1]);
    const { client: v2 } = await service({ dialect: 'v2' });
    expect(await v2.rest.nodeReplacements()()).toMatchObject({ left: { _tag: 'NotSupported' } });
  });

  it('a service without replacements lacks the class', async () => {
    const { client } = await service({ dialect: 'local' });
    expect(await toPromise(client.preflight(resized))).toMatchObject({
      ...{ verdict: 'refused', replaced: [] },
      missingClasses: [{ className: 'ResizeImagesByLongerEdge', nodeIds: ['2'] }],
    });
  });

  it.each([
    ['unstated', 'unknown', 'accepted', undefined],
    ['open', 'open', 'accepted', undefined],
    ['refused', 'refused', 'refused', 'InsufficientCredits'],
    ['refused by policy', 'open', 'accepted', 'Forbidden'],
  ] as const)('tells what a plan says of paid nodes: %s', async (partnerNodes, plan, verdict, refusal) => {
    const { client } = await service({ profile: '2026-11', switches: { partnerNodes } });
    const report = await toPromise(client.preflight(paid));
    expect([report.plan.paidNodes, report.verdict]).toEqual([plan, verdict]);
    expect(report.paidNodes).toEqual([
      {
        ...{ nodeId: '1', className: 'PartnerImageNode' },
        price: { engine: 'jsonata', expression: '{"type":"usd","usd":0.04}', values: {} },
      },
    ]);
    const submitted = await client.rest.submit(paid)();
    expect(submitted._tag === 'Left' ? submitted.left._tag : undefined).toBe(refusal);
  });

  it("lists the account's own models, which a service lists only where it is asked", async () => {
    const { client } = await service({ profile: '2026-11', switches: { userModels: true } });
    const workflow = loaded('imports/night-sky.safetensors');
    expect(await toPromise(client.preflight(workflow))).toMatchObject({
      verdict: 'accepted',
      missingModels: [],
    });
    const unasked = preflightReport(workflow, await toPromise(client.rest.objectInfo()));
    expect(unasked.missingModels).toHaveLength(1);
    expect((await client.rest.submit(workflow)())._tag).toBe('Right');
  });

  it.each(['local', 'cloud'] as const)(
    'looks in the folder of a model that only the file names: %s',
    async (dialect) => {
      const { client } = await service({ dialect });
      const models = [
        { name: 'scenery-v1.safetensors', directory: 'checkpoints' },
        { name: 'gone.safetensors', directory: 'checkpoints', url: 'https://models.example/gone' },
        { name: 'up.pth', directory: 'models_of_my_own' },
      ];
      const ui = { nodes: [], models };
      const report = await toPromise(client.preflight({ 1: empty, 2: saved('1') }, { ui }));
      expect(report.missingModels).toEqual([models[1]]);
      expect(report.unknownModels).toEqual([models[2]]);
    },
  );

  it('T1 looks in no more than 50 folders, however many a file names', async () => {
    const { client, asked } = await service({ dialect: 'local' });
    const models = Array.from({ length: 200 }, (_, nth) => ({ name: `${nth}.pth`, directory: `${nth}` }));
    const report = await toPromise(
      client.preflight({ 1: empty, 2: saved('1') }, { ui: { nodes: [], models } }),
    );
    expect(report.unknownModels).toHaveLength(200);
    const folders = asked().flatMap((one) => /models\/(\d+)$/u.exec(one)?.[1] ?? []);
    expect(new Set(folders).size).toBe(50);
  });

  it('asks for the size of each file that has to be uploaded', async () => {
    const { client } = await service({ switches: { maxUploadBytes: 100 } });
    const workflow = { 1: node('LoadImage', { image: 'mine.png' }), 2: saved('1') };
    const sizes: string[] = [];
    const report = await toPromise(client.preflight(workflow, { files: (name) => sizes.push(name) * 101 }));
    expect(report).toMatchObject({
      verdict: 'refused',
      uploads: [{ nodeId: '1', input: 'image', name: 'mine.png', bytes: 101, isTooLarge: true }],
    });
    expect(sizes).toEqual(['mine.png']);
    expect((await toPromise(client.preflight(workflow, { files: { 'mine.png': 100 } }))).verdict).toBe(
      'accepted',
    );
  });

  it('tells of a service without node classes what the workflow itself does', async () => {
    const { client, emulator } = await service({ dialect: 'v2' });
    const workflow: Workflow = {
      1: node('LoadImage', { image: 'mine.png' }),
      2: node('LoraLoaderModelOnly', { lora_name: 'night.safetensors', model: ['3', 0] }),
      3: saved('1'),
    };
    const ui = {
      nodes: [],
      models: [{ name: 'up.pth', directory: 'upscale_models', url: 'https://m.test/up' }],
    };
    const report = await toPromise(client.preflight(workflow, { ui, files: { 'mine.png': 7 } }));
    expect(report).toEqual({
      ...{ verdict: 'unknown', workflow, plan: { paidNodes: 'unknown' } },
      problems: [expect.objectContaining({ type: 'not_validated', severity: 'warning' })],
      uploads: [{ nodeId: '1', input: 'image', name: 'mine.png', bytes: 7 }],
      unknownModels: [{ nodeId: '2', input: 'lora_name', name: 'night.safetensors' }, ui.models[0]],
      ...{ missingClasses: [], missingModels: [], paidNodes: [], replaced: [] },
    });
    expect(emulator.requests.filter(({ method }) => method !== 'GET')).toEqual([]);

    const editors = { version: 0.4, nodes: [{ id: 1, type: 'LoadImage' }], links: [], models: ui.models };
    const ofEditor = await toPromise(client.preflight(editors));
    expect(ofEditor).toMatchObject({ verdict: 'unknown', unknownModels: ui.models });
    expect(ofEditor).not.toHaveProperty('workflow');
  });

  it('checks by the classes that a program has where the service gives none', async () => {
    const { client: local } = await service({ dialect: 'local' });
    const { client } = await service({ dialect: 'v2' });
    const definitions = await toPromise(local.rest.objectInfo());
    const verdictOf = async (workflow: Workflow) =>
      (await toPromise(client.preflight(workflow, { definitions }))).verdict;
    expect(await verdictOf({ 1: empty, 2: saved('1') })).toBe('accepted');
    expect(await verdictOf({ 1: node('Nothing'), 2: saved('1') })).toBe('refused');
  });

  it.each(['0.3.40', '0.3.64', '0.6', '0.9', '0.26', 'latest'] as const)(
    'asks an engine %s for nothing that it lacks',
    async (engine) => {
      const { client, emulator } = await service({ dialect: 'local', engine });
      const report = await toPromise(client.preflight({ 1: empty, 2: saved('1') }));
      expect(report).toMatchObject({ verdict: 'accepted', plan: { paidNodes: 'unknown' } });
      expect(emulator.requests).toHaveLength(2);
    },
  );

  it('is Left where the node classes can not be had, and unknown where only the features can not', async () => {
    const { client, emulator } = await service();
    emulator.answerOnce('GET', '/api/features', { status: 404 });
    expect((await toPromise(client.preflight(paid))).plan).toEqual({ paidNodes: 'unknown' });
    emulator.answerOnce('GET', '/api/object_info', { status: 404 });
    expect(await client.preflight(paid)()).toMatchObject({ _tag: 'Left', left: { _tag: 'NotFound' } });
    const stopped = client.preflight(paid, { signal: AbortSignal.abort() });
    expect(await stopped()).toMatchObject({ _tag: 'Left', left: { _tag: 'Aborted' } });
  });
});

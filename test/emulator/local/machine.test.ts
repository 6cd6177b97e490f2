import { call, type Data } from '../support.js';
import { describe, expect, it } from 'vitest';
import type { Emulator } from '../../../src/emulator.js';
import { openLocal, post, record, runLocal } from './support.js';
import { textToImageWorkflow, virtualClock } from '../../../src/emulator.js';

const gibibyte = 2 ** 30;

const workflow = (checkpoint: string, { seed = 1, edge = 64, batch = 1 } = {}): Data => {
  const made = textToImageWorkflow({ steps: 1, width: edge, height: edge, seed });
  const latent = { class_type: 'EmptyLatentImage', inputs: { width: edge, height: edge, batch_size: batch } };
  return {
    ...made,
    5: latent,
    4: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: checkpoint } },
  };
};

const device = async (emulator: Emulator): Promise<Data> => {
  const { body } = await call(emulator, 'GET', '/system_stats');
  return (body['devices'] as Data[])[0] ?? {};
};

const loadsOf = ({ ledger }: Emulator): readonly string[] => ledger.loads.map(({ model }) => model);

describe('the machine of a local server', () => {
  it('has the models that it is given, and refuses others', async () => {
    const emulator = await openLocal({ machine: { models: { 'a.safetensors': {}, 'b.safetensors': {} } } });
    expect((await call(emulator, 'GET', '/models/checkpoints')).body).toEqual([
      'a.safetensors',
      'b.safetensors',
    ]);
    const { body } = await call(emulator, 'GET', '/object_info');
    const choices = (name: string): unknown =>
      (body as Record<string, { input: { required: { ckpt_name: unknown[] } } }>)[name]?.input.required
        .ckpt_name[0];
    for (const name of ['CheckpointLoaderSimple', 'CreateHookModelAsLora'])
      expect(choices(name)).toEqual(['a.safetensors', 'b.safetensors']);
    expect((await post(emulator, workflow('a.safetensors'))).status).toBe(200);
    const refused = await post(emulator, workflow('scenery-v1.safetensors'));
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('value_not_in_list');
  });

  it('takes the time of each model to load it, by its size where it tells none', async () => {
    const clock = virtualClock();
    const models = { 'a.safetensors': { loadMs: 60_000 }, 'b.safetensors': { bytes: 3 * gibibyte } };
    const emulator = await openLocal({ clock, speed: 2, machine: { models, loadMsPerGiB: 20_000 } });
    const took = async (checkpoint: string, seed: number): Promise<number | undefined> => {
      const { body } = await post(emulator, workflow(checkpoint, { seed }));
      await clock.advance(120_000);
      const job = emulator.ledger.jobs.find(({ promptId }) => promptId === body['prompt_id']);
      return job?.endedAt === undefined ? undefined : job.endedAt - job.createdAt;
    };
    const warm = async (checkpoint: string, seed: number): Promise<number> =>
      (await took(checkpoint, seed)) ?? NaN;
    const [coldA, warmA] = [await warm('a.safetensors', 1), await warm('a.safetensors', 2)];
    const [coldB, warmB] = [await warm('b.safetensors', 1), await warm('b.safetensors', 2)];
    expect([coldA - warmA, coldB - warmB]).toEqual([30_000, 30_000]);
    expect(loadsOf(emulator)).toEqual(['a.safetensors', 'b.safetensors']);
  });

  it('unloads what was used longest ago where its memory is full, and shows what is free', async () => {
    const models = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { bytes: 3 * gibibyte }]));
    const emulator = await openLocal({ machine: { models, memory: 7 * gibibyte } });
    expect(await device(emulator)).toMatchObject({
      type: 'cuda',
      index: 0,
      vram_total: 7 * gibibyte,
      vram_free: 7 * gibibyte,
    });
    for (const [seed, name] of ['a', 'b', 'a', 'c', 'a', 'b'].entries())
      await runLocal(emulator, workflow(name, { seed }));
    expect(loadsOf(emulator)).toEqual(['a', 'b', 'c', 'b']);
    expect(await device(emulator)).toMatchObject({ vram_free: gibibyte });
  });

  it.each([
    ['a model', { bytes: 5 * gibibyte }, {}],
    ['a batch', { bytes: gibibyte }, { edge: 1024, batch: 2 }],
  ] as const)(
    'fails the node that needs more memory for %s, as the engine tells it',
    async (_, model, size) => {
      const emulator = await openLocal({ machine: { models: { big: model }, memory: 4 * gibibyte } });
      const { promptId } = await runLocal(emulator, workflow('big', size));
      const kept = await record(emulator, promptId);
      expect(kept?.['status']).toMatchObject({ status_str: 'error' });
      const messages = (kept?.['status'] as Data)['messages'] as [string, Data][];
      expect(messages.at(-1)).toMatchObject([
        'execution_error',
        {
          exception_type: 'torch.OutOfMemoryError',
          exception_message:
            'Allocation on device \nThis error means you ran out of memory on your GPU.\n\nTIPS: If the workflow worked before you might have accidentally set the batch_size to a large number.',
        },
      ]);
      expect(await device(emulator)).toMatchObject({ vram_free: 4 * gibibyte });
      await runLocal(emulator, { 1: { class_type: 'SilentOutput', inputs: { anything: 'x' } } });
      expect(emulator.ledger.jobs.map(({ state }) => state)).toEqual(['failed', 'completed']);
    },
  );

  it('unloads its models where that is asked for', async () => {
    const emulator = await openLocal({ machine: { models: { a: {} }, memory: 8 * gibibyte } });
    const free = (body: Data) => call(emulator, 'POST', '/free', body);
    await runLocal(emulator, workflow('a', { seed: 1 }));
    await free({});
    expect(await device(emulator)).toMatchObject({ vram_free: 6 * gibibyte });
    await free({ unload_models: true });
    expect(await device(emulator)).toMatchObject({ vram_free: 8 * gibibyte });
    await runLocal(emulator, workflow('a', { seed: 2 }));
    await free({ free_memory: true });
    await runLocal(emulator, workflow('a', { seed: 3 }));
    expect(loadsOf(emulator)).toEqual(['a', 'a', 'a']);
  });

  it.each([
    [{ machine: 5 }, 'machine is 5'],
    [{ machine: { vram: 1 } }, 'machine has no vram; it takes memory, models, loadMsPerGiB'],
    [{ machine: { memory: -1 } }, 'machine.memory is -1; it takes a finite number from 0'],
    [{ machine: { models: [] } }, 'machine.models takes an object'],
    [{ machine: { models: { a: { size: 1 } } } }, "machine.models['a'] has no size; it takes bytes, loadMs"],
    [{ machine: { models: { a: { loadMs: NaN } } } }, "machine.models['a'].loadMs is NaN"],
    [{ machine: { models: { a: 5 } } }, "machine.models['a'] takes { bytes, loadMs }"],
    [{ dialect: 'cloud', machine: {} }, "machine is that of a local server: it takes dialect 'local'"],
  ])('refuses %j', async (options, message) => {
    await expect(openLocal(options as never)).rejects.toThrow(message);
  });

  it.each([true, false])('tells what was open work of the engine: %s', async (openWork) => {
    const models = { 'a.safetensors': { loadMs: 20_000 } };
    const emulator = await openLocal({ switches: { openWork }, speed: 1000, machine: { models } });
    const { promptId, listener } = await runLocal(emulator, workflow('a.safetensors'));
    const told = listener.heard
      .filter(({ type }) => type === 'progress_state')
      .flatMap(({ data }) => Object.values(data['nodes'] as Readonly<Record<string, Data>>));
    // A loader says so while it loads, and its next state no more.
    const loads = told.filter(({ node_id }) => node_id === '4').map(({ activity }) => activity);
    expect(loads).toContain(openWork ? 'loading' : undefined);
    expect(loads.at(-1)).toBeUndefined();
    expect(told.some(({ seconds }) => seconds !== undefined)).toBe(openWork);
    const { data } = await listener.until('execution_success');
    expect(data['completion_status']).toBe(openWork ? 'success' : undefined);
    const ofLoader = told.findLast(({ node_id, state }) => node_id === '4' && state === 'finished');
    expect(Object.keys(ofLoader?.['seconds'] ?? {})).toEqual(openWork ? ['total', 'loading'] : []);
    expect(JSON.stringify(await record(emulator, promptId)).includes('completion_status')).toBe(openWork);
  });
});

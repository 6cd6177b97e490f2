import { describe, expect, it } from 'vitest';
import type { Emulator, EmulatorOptions } from '../../../src/emulator.js';
import { call, endless, quick, type Data } from '../support.js';
import { listenLocal, openLocal, post, queue, runLocal } from './support.js';

const id = (digit: number): string => `${String(digit).repeat(8)}-1111-4111-8111-111111111111`;

const get = async (emulator: Emulator, path: string) => call(emulator, 'GET', path);

const listed = async (emulator: Emulator, search = ''): Promise<readonly Data[]> =>
  (await get(emulator, `/api/jobs${search}`)).body['jobs'] as Data[];

const idsOf = (jobs: readonly Data[]) => jobs.map((job) => job['id']);

/** One job runs, two wait. */
const crowded = async (options: EmulatorOptions = { engine: '0.26' }) => {
  const emulator = await openLocal({ speed: 20, ...options });
  const listener = await listenLocal(emulator, 'mine');
  await post(emulator, endless, 'mine', { prompt_id: id(1) });
  await listener.until('progress');
  await post(emulator, quick, 'mine', { prompt_id: id(2) });
  await post(emulator, quick, 'mine', {
    prompt_id: id(3),
    extra_data: { extra_pnginfo: { workflow: { id: 'w' } } },
  });
  return { emulator, listener };
};

describe('the jobs API of a local server', () => {
  it('M3: L.71: lists jobs that run, wait and have ended, without their workflows', async () => {
    const { emulator } = await crowded();
    expect(idsOf(await listed(emulator, '?status=pending')).toSorted()).toEqual([id(2), id(3)]);
    expect(await listed(emulator, '?status=in_progress')).toEqual([
      {
        id: id(1),
        priority: 0,
        create_time: expect.any(Number) as number,
        status: 'in_progress',
        outputs_count: 0,
      },
    ]);
    expect(idsOf(await listed(emulator, '?workflow_id=w'))).toEqual([id(3)]);
    const { body } = await get(emulator, '/api/jobs?limit=2&offset=1&sort_order=asc');
    expect(body['pagination']).toEqual({ offset: 1, limit: 2, total: 3, has_more: false });
  });

  it('M3: L.71: names what it does not take', async () => {
    const emulator = await openLocal({ engine: '0.6' });
    for (const query of [
      'status=done',
      'limit=0',
      'limit=x',
      'offset=x',
      'sort_by=create_time',
      'sort_order=up',
    ]) {
      const { status, body } = await get(emulator, `/api/jobs?${query}`);
      expect([query, status, typeof body['error']]).toEqual([query, 400, 'string']);
    }
    expect(await listed(emulator, '?status=')).toEqual([]);
    expect((await get(emulator, '/api/jobs?status=,')).body['jobs']).toEqual([]);
    expect((await get(emulator, '/api/api/jobs')).status).toBe(200);
    expect((await get(emulator, '/jobs')).status).toBe(404);
  });

  it('M3: L.71: fails as a whole where one job has a null for a file of the editor', async () => {
    const { emulator } = await crowded();
    await post(emulator, quick, 'mine', { prompt_id: id(4), extra_data: { extra_pnginfo: null } });
    expect((await get(emulator, '/api/jobs')).status).toBe(500);
    expect((await get(emulator, `/api/jobs/${id(4)}`)).status).toBe(500);
    expect((await get(emulator, `/api/jobs/${id(1)}`)).status).toBe(200);
  });

  it('M3: L.72: shows a job with its outputs once it has ended', async () => {
    const emulator = await openLocal({ engine: '0.26' });
    const { promptId } = await runLocal(emulator, quick, { prompt_id: id(5) });
    const { body } = await get(emulator, `/api/jobs/${promptId}`);
    expect(body).toMatchObject({
      id: promptId,
      status: 'completed',
      execution_status: { status_str: 'success', completed: true },
      workflow: { prompt: quick },
    });
    expect(body).not.toHaveProperty('queue_position');
    const [job] = await listed(emulator, '?status=completed');
    expect(job).not.toHaveProperty('outputs');
    expect((await get(emulator, `/api/jobs/${id(9)}`)).body).toEqual({ error: 'Job not found' });
  });

  it.each([
    ['0.26', undefined],
    ['latest', quick],
  ] as const)(
    'M3: L.72: of engine %s shows the workflow of a job that waits: %j',
    async (engine, workflow) => {
      const { emulator } = await crowded({ engine });
      const { body } = await get(emulator, `/api/jobs/${id(2)}`);
      expect(body['status']).toBe('pending');
      expect((body['workflow'] as Data | undefined)?.['prompt']).toEqual(workflow);
    },
  );

  it.each([
    ['0.6', 'failed'],
    ['0.9', 'cancelled'],
  ] as const)('M3: L.72: of engine %s calls an interrupted job %s', async (engine, word) => {
    const { emulator, listener } = await crowded({ engine });
    await call(emulator, 'POST', '/interrupt', { prompt_id: id(1) });
    await listener.until('executing', ({ node, prompt_id }) => node === null && prompt_id === id(1));
    expect((await get(emulator, `/api/jobs/${id(1)}`)).body['status']).toBe(word);
  });

  it('M3: L.73: counts each object, takes the text of a model for a file, and prefers media', async () => {
    const emulator = await openLocal({ engine: 'latest' });
    const workflow = {
      1: { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
      2: { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
      3: { class_type: 'Preview3D', inputs: { model_file: '3d/x.glb' } },
    };
    const { promptId } = await runLocal(emulator, workflow, { prompt_id: id(6) });
    const { body } = await get(emulator, `/api/jobs/${promptId}`);
    const { result } = (body['outputs'] as Record<string, Data>)['3'] ?? {};
    expect((result as unknown[])[0]).toEqual({
      filename: '3d/x.glb',
      type: 'output',
      subfolder: '',
      mediaType: '3d',
    });
    expect(body['preview_output']).toMatchObject({ nodeId: '3', mediaType: '3d' });
    expect(body['outputs_count']).toBeGreaterThanOrEqual(2);
    expect(body['previewable_outputs_count']).toBe(2);
  });

  it('M3: L.74: cancels a job that waits, which is unknown from then on, and one that runs', async () => {
    const { emulator, listener } = await crowded();
    const cancel = (promptId: string) => call(emulator, 'POST', `/api/jobs/${promptId}/cancel`);
    expect((await cancel(id(2))).body).toEqual({ cancelled: true });
    expect((await get(emulator, `/api/jobs/${id(2)}`)).status).toBe(404);
    expect((await cancel(id(2))).body).toEqual({ cancelled: false });
    expect((await cancel(id(1))).body).toEqual({ cancelled: true });
    const { data } = await listener.until('execution_interrupted');
    expect(data['prompt_id']).toBe(id(1));
  });

  it('M3: L.74: cancels many: whether any was there, and none where an id has another form', async () => {
    const { emulator } = await crowded();
    const cancel = (job_ids: unknown) => call(emulator, 'POST', '/api/jobs/cancel', { job_ids });
    const refused = await cancel([id(2), 'X']);
    expect([refused.status, refused.body['invalid_ids']]).toEqual([400, ['X']]);
    expect((await cancel('x')).status).toBe(400);
    expect((await call(emulator, 'POST', '/api/jobs/cancel', '{')).status).toBe(400);
    expect((await cancel([])).body).toEqual({ cancelled: false });
    expect((await cancel([id(2), id(8)])).body).toEqual({ cancelled: true });
    expect(await queue(emulator)).toEqual({ running: [id(1)], pending: [id(3)] });
  });

  it.each([
    ['0.3.64', 404, 405],
    ['0.9', 200, 405],
    ['0.26', 200, 200],
  ] as const)(
    'M3: L.74: of engine %s answers the list %i and a cancellation %i',
    async (engine, list, cancel) => {
      const emulator = await openLocal({ engine });
      expect((await get(emulator, '/api/jobs')).status).toBe(list);
      expect((await call(emulator, 'POST', `/api/jobs/${id(1)}/cancel`)).status).toBe(cancel);
    },
  );

  it('M3: L.75: refuses an id that is no UUID since 0.25, and makes one for null', async () => {
    const emulator = await openLocal({ engine: '0.26' });
    const refused = await post(emulator, quick, 'x', { prompt_id: 'mine' });
    expect([refused.status, refused.body['error']]).toEqual([
      400,
      expect.objectContaining({ type: 'invalid_prompt_id' }),
    ]);
    expect((await post(emulator, quick, 'x', { prompt_id: null })).body['prompt_id']).toMatch(
      /^[\da-f-]{36}$/u,
    );
    const older = await openLocal({ engine: '0.9' });
    expect((await post(older, quick, 'x', { prompt_id: 'mine' })).body['prompt_id']).toBe('mine');
  });
});

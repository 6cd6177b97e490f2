import { call, ended, endless, listen, type Listener, open, quick, runToEnd, submit } from '../support.js';
import { describe, expect, it } from 'vitest';
import type { Emulator } from '../../../src/emulator.js';

/** One job that runs and one that waits. */
const busy = async (
  options: Parameters<typeof open>[0] = {},
): Promise<{ emulator: Emulator; listener: Listener; running: string; waiting: string }> => {
  const emulator = await open({ speed: 20, concurrency: 1, ...options });
  const listener = await listen(emulator);
  const running = await submit(emulator, endless);
  const waiting = await submit(emulator, endless);
  await listener.until('progress');
  return { emulator, listener, running, waiting };
};

const statusOf = async (emulator: Emulator, id: string): Promise<unknown> =>
  (await call(emulator, 'GET', `/api/job/${id}/status`)).body['status'];

describe('GET /api/queue', () => {
  it('lists running and waiting jobs as tuples in the order of the cloud', async () => {
    const { emulator, running, waiting } = await busy();
    const { status, body } = await call(emulator, 'GET', '/api/queue');
    const createdAt = { create_time: expect.any(Number) as number };
    expect(status).toBe(200);
    expect(body).toEqual({
      queue_running: [[1, running, endless, ['1'], createdAt]],
      queue_pending: [[2, waiting, endless, ['1'], createdAt]],
    });
  });

  it('is empty when nothing is to do', async () => {
    const { body } = await call(await open(), 'GET', '/api/queue');
    expect(body).toEqual({ queue_running: [], queue_pending: [] });
  });
});

describe('GET /api/job/{id}/status', () => {
  it('answers the five words, times, and nothing of an error', async () => {
    const { emulator, running, waiting } = await busy();
    const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
    const { body } = await call(emulator, 'GET', `/api/job/${running}/status`);
    expect(body).toEqual({
      id: running,
      status: 'in_progress',
      created_at: iso,
      updated_at: iso,
      last_state_update: iso,
      assigned_inference: 'emulator-1',
      error_message: null,
    });
    expect(await statusOf(emulator, waiting)).toBe('pending');
  });

  it('answers the word of the end', async () => {
    const emulator = await open();
    const { promptId } = await runToEnd(emulator, quick);
    expect(await statusOf(emulator, promptId)).toBe('completed');
  });

  it('answers the raw words by switch', async () => {
    const { emulator, running, waiting } = await busy({ profile: '2026' });
    expect([await statusOf(emulator, running), await statusOf(emulator, waiting)]).toEqual([
      'executing',
      'queued_limited',
    ]);
  });

  it('is 404 for an unknown id', async () => {
    const answer = await call(await open(), 'GET', '/api/job/unknown/status');
    expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('POST /api/queue', () => {
  it('deletes waiting and running jobs and names what it ended', async () => {
    const { emulator, listener, running, waiting } = await busy();
    const answer = await call(emulator, 'POST', '/api/queue', { delete: [waiting, 'unknown', running] });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ deleted: [waiting, running], cleared: false });
    await listener.until('execution_interrupted', (data) => data['prompt_id'] === running);
    await ended(listener, running);
    expect([await statusOf(emulator, running), await statusOf(emulator, waiting)]).toEqual([
      'cancelled',
      'cancelled',
    ]);
    const about = listener.heard.filter(({ data }) => data['prompt_id'] === waiting);
    expect(about).toEqual([]);
    expect((await call(emulator, 'GET', `/api/history_v2/${waiting}`)).status).toBe(404);
    const record = (await call(emulator, 'GET', `/api/history_v2/${running}`)).body;
    expect(record['status']).toMatchObject({ status_str: 'error', completed: false });
    expect(JSON.stringify(record['status'])).toContain('execution_interrupted');
  });

  it('leaves running jobs alone by switch', async () => {
    const { emulator, running, waiting } = await busy({ switches: { queueDelete: 'pending' } });
    const { body } = await call(emulator, 'POST', '/api/queue', { delete: [waiting, running] });
    expect(body['deleted']).toEqual([waiting]);
    expect(await statusOf(emulator, running)).toBe('in_progress');
  });

  it('clears what waits', async () => {
    const { emulator, running, waiting } = await busy();
    const { body } = await call(emulator, 'POST', '/api/queue', { clear: true });
    expect(body).toEqual({ deleted: [], cleared: true });
    expect([await statusOf(emulator, running), await statusOf(emulator, waiting)]).toEqual([
      'in_progress',
      'cancelled',
    ]);
  });

  it('refuses a body of another shape', async () => {
    const emulator = await open();
    for (const body of ['[]', '{', { delete: 'x' }, { delete: [1] }, { clear: 'yes' }]) {
      expect((await call(emulator, 'POST', '/api/queue', body)).status).toBe(400);
    }
  });
});

describe('POST /api/interrupt', () => {
  it('ends everything that runs, with an empty answer, and lets the next one start', async () => {
    const { emulator, listener, running, waiting } = await busy();
    const answer = await call(emulator, 'POST', '/api/interrupt');
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
    const { data } = await listener.until('execution_interrupted');
    expect(data).toEqual({
      prompt_id: running,
      node_id: '1',
      node_type: 'SlowNode',
      executed: [],
      timestamp: expect.any(Number) as number,
    });
    await listener.until('execution_start', (start) => start['prompt_id'] === waiting);
  });

  it('ends the named job only, waiting or running', async () => {
    const { emulator, listener, running, waiting } = await busy();
    await call(emulator, 'POST', '/api/interrupt', { prompt_id: waiting });
    expect([await statusOf(emulator, running), await statusOf(emulator, waiting)]).toEqual([
      'in_progress',
      'cancelled',
    ]);
    await call(emulator, 'POST', '/api/interrupt', { prompt_id: running });
    await ended(listener, running);
    expect((await call(emulator, 'POST', '/api/interrupt', { prompt_id: 'unknown' })).status).toBe(404);
  });

  it('is content when nothing runs', async () => {
    expect((await call(await open(), 'POST', '/api/interrupt', '')).status).toBe(200);
  });
});

describe('the endpoints beside the interface', () => {
  it('tell one job, and cancel it', async () => {
    const { emulator, running, waiting } = await busy();
    const detail = await call(emulator, 'GET', `/api/jobs/${running}`);
    expect(detail.body).toMatchObject({
      id: running,
      status: 'in_progress',
      outputs: {},
      execution_error: null,
    });
    const limited = await call(emulator, 'GET', `/api/jobs/${waiting}`);
    expect(limited.body['queue_reason']).toBe('concurrency_limit');
    expect((await call(emulator, 'POST', `/api/jobs/${waiting}/cancel`)).body).toEqual({ cancelled: true });
    expect((await call(emulator, 'POST', `/api/jobs/${waiting}/cancel`)).body).toEqual({ cancelled: false });
    expect((await call(emulator, 'GET', '/api/jobs/unknown')).status).toBe(404);
    expect((await call(emulator, 'POST', '/api/jobs/unknown/cancel')).status).toBe(400);
  });

  it('tell features, system and queue length', async () => {
    const { emulator } = await busy();
    expect((await call(emulator, 'GET', '/api/features')).body['supports_preview_metadata']).toBe(true);
    expect((await call(emulator, 'GET', '/api/system_stats')).body).toHaveProperty('system.cloud_version');
    expect((await call(emulator, 'GET', '/api/prompt')).body).toEqual({ exec_info: { queue_remaining: 2 } });
  });
});

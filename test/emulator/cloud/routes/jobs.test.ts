import { call, endless, failing, listen, open, quick, runToEnd, submit } from '../../support.js';
import { describe, expect, it } from 'vitest';

describe('GET /api/history_v2/{id}', () => {
  it('tells a finished job flat: outputs, how it ended, and its events', async () => {
    const emulator = await open();
    const { promptId } = await runToEnd(emulator, quick, { extra_data: { api_key_partner_org: 'secret' } });
    const { status, body, bytes } = await call(emulator, 'GET', `/api/history_v2/${promptId}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      prompt: {
        priority: 0,
        prompt_id: promptId,
        prompt: quick,
        extra_data: { create_time: expect.any(Number) as number },
        outputs_to_execute: ['1'],
      },
      outputs: { '1': { text: ['2 steps'] } },
      status: {
        status_str: 'success',
        completed: true,
        messages: [
          ['execution_start', { prompt_id: promptId, timestamp: expect.any(Number) as number }],
          ['execution_cached', { nodes: [], prompt_id: promptId, timestamp: expect.any(Number) as number }],
          ['execution_success', { prompt_id: promptId, timestamp: expect.any(Number) as number }],
        ],
      },
      meta: { '1': { node_id: '1', display_node: '1', parent_node: null, real_node_id: '1' } },
    });
    expect(bytes.toString()).not.toContain('secret');
  });

  it('puts the same under the id by switch', async () => {
    const emulator = await open({ switches: { history: 'keyed' } });
    const { promptId } = await runToEnd(emulator, quick);
    const { body } = await call(emulator, 'GET', `/api/history_v2/${promptId}`);
    expect(body).toMatchObject({ [promptId]: { outputs: { '1': { text: ['2 steps'] } } } });
  });

  it('lists the latest jobs without an id, newest first, with what was sent beside the workflow', async () => {
    const emulator = await open();
    const first = await runToEnd(emulator, quick, { extra_data: { mark: 1, api_key_partner_org: 'secret' } });
    const second = await runToEnd(emulator, quick);
    const list = async (query = '') =>
      (await call(emulator, 'GET', `/api/history_v2${query}`)).body['history'] as Record<string, unknown>[];
    expect((await list()).map((job) => job['prompt_id'])).toEqual([second.promptId, first.promptId]);
    const create_time = expect.any(Number) as number;
    expect(await list('?max_items=1&offset=1')).toMatchObject([
      {
        create_time,
        prompt: { prompt_id: first.promptId, extra_data: { mark: 1, create_time } },
        outputs: {},
      },
    ]);
    expect(JSON.stringify(await list())).not.toMatch(/secret|class_type/);
  });

  it('returns nothing of what was sent beside the workflow by switch', async () => {
    const emulator = await open({ switches: { extraDataIs: 'dropped' } });
    const { promptId } = await runToEnd(emulator, quick, { extra_data: { mark: 1 } });
    for (const path of [`history_v2`, `history_v2/${promptId}`, `jobs/${promptId}`])
      expect((await call(emulator, 'GET', `/api/${path}`)).bytes.toString()).not.toContain('mark');
  });

  it('tells a failed job as an error', async () => {
    const emulator = await open();
    const { promptId } = await runToEnd(emulator, failing('ValueError'));
    const { body } = await call(emulator, 'GET', `/api/history_v2/${promptId}`);
    expect(body['status']).toMatchObject({ status_str: 'error', completed: false });
    expect(JSON.stringify(body['status'])).toContain('"execution_error",{"prompt_id"');
  });

  it('is 404 for unknown jobs and for those that have not started', async () => {
    const emulator = await open({ speed: 20, concurrency: 1 });
    await submit(emulator, endless);
    const waiting = await submit(emulator, endless);
    expect((await call(emulator, 'GET', `/api/history_v2/${waiting}`)).status).toBe(404);
    expect((await call(emulator, 'GET', '/api/history_v2/unknown')).body['code']).toBe('NOT_FOUND');
  });

  it('is there without an end while a job runs', async () => {
    const emulator = await open({ speed: 20 });
    const listener = await listen(emulator);
    const promptId = await submit(emulator, endless);
    await listener.until('execution_start');
    const { status, body } = await call(emulator, 'GET', `/api/history_v2/${promptId}`);
    expect([status, body['status'], body['outputs']]).toEqual([200, null, {}]);
  });

  it('holds the outputs back for as long as the switch says', async () => {
    const emulator = await open({ switches: { historyLagMs: 3_600_000 } });
    const { promptId } = await runToEnd(emulator, quick);
    const { body } = await call(emulator, 'GET', `/api/history_v2/${promptId}`);
    expect(body).toMatchObject({ outputs: {}, status: { status_str: 'success' } });
  });
});

import { describe, expect, it } from 'vitest';
import { call, endless, listen, quick, submit } from '../support.js';
import { openLocal, post } from '../local/support.js';
import { closed, faulty, heardOf, historyOf, raw, statusOf, strikes } from './support.js';

const submission = 'POST /api/prompt';
const statusRoute = 'GET /api/job/{id}/status';

const refusedTimes = async (statuses: readonly Promise<{ readonly status: number }>[]) =>
  (await Promise.all(statuses)).map(({ status }) => status);

describe('faults of endpoints', () => {
  it('answer something else, with headers, at the n-th request', async () => {
    const emulator = await faulty([
      {
        on: 'rest',
        route: submission,
        nth: 2,
        do: 'answer',
        status: 503,
        headers: { 'retry-after': '3' },
        body: 'busy',
      },
    ]);
    expect((await call(emulator, 'POST', '/api/prompt', { prompt: quick })).status).toBe(200);
    const refused = await call(emulator, 'POST', '/api/prompt', { prompt: quick });
    expect([refused.status, refused.headers.get('retry-after'), refused.bytes.toString()]).toEqual([
      503,
      '3',
      'busy',
    ]);
    expect(emulator.ledger.jobs).toHaveLength(1);
    expect(strikes(emulator)).toEqual([submission]);
  });

  it('answer something else although it was done', async () => {
    const emulator = await faulty([
      { on: 'rest', route: submission, do: 'answer', status: 502, commit: true },
    ]);
    expect((await call(emulator, 'POST', '/api/prompt', { prompt: quick })).status).toBe(502);
    expect(emulator.ledger.jobs).toHaveLength(1);
  });

  it.each(['rst', 'fin'] as const)('accept and then cut the connection by %s', async (how) => {
    const emulator = await faulty([{ on: 'rest', route: submission, do: 'commit-then-cut', how }]);
    await expect(call(emulator, 'POST', '/api/prompt', { prompt: quick })).rejects.toThrow('fetch failed');
    expect(emulator.ledger.jobs).toHaveLength(1);
  });

  it('let the first reads of each address find nothing', async () => {
    const emulator = await faulty([{ on: 'rest', route: 'GET /api/history_v2/{id}', do: 'lag', reads: 2 }]);
    for (let job = 0; job < 2; job += 1) {
      const { promptId } = await heardOf(emulator);
      const reads = [1, 2, 3, 4].map(() => call(emulator, 'GET', `/api/history_v2/${promptId}`));
      expect((await refusedTimes(reads)).sort()).toEqual([200, 200, 404, 404]);
    }
    expect(strikes(emulator)).toHaveLength(4);
  });

  it('let a job vanish from the n-th read on', async () => {
    const emulator = await faulty([{ on: 'rest', route: statusRoute, nth: 2, do: 'vanish' }]);
    const { promptId } = await heardOf(emulator);
    const statuses = [];
    for (let read = 0; read < 4; read += 1)
      statuses.push((await call(emulator, 'GET', `/api/job/${promptId}/status`)).status);
    expect(statuses).toEqual([200, 404, 404, 404]);
  });

  it('flicker', async () => {
    const emulator = await faulty([{ on: 'rest', route: statusRoute, do: 'flicker' }]);
    const { promptId } = await heardOf(emulator);
    const statuses = [];
    for (let read = 0; read < 4; read += 1)
      statuses.push((await call(emulator, 'GET', `/api/job/${promptId}/status`)).status);
    expect(statuses).toEqual([404, 200, 404, 200]);
  });

  it.each(['before', 'after'] as const)('delay %s it is done', async (phase) => {
    const emulator = await faulty([{ on: 'rest', route: submission, do: 'delay', ms: 250, phase }]);
    const answer = call(emulator, 'POST', '/api/prompt', { prompt: quick });
    while (emulator.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 3; turn += 1) await call(emulator, 'GET', '/api/user');
    expect(emulator.ledger.jobs).toHaveLength(phase === 'before' ? 0 : 1);
    expect((await answer).status).toBe(200);
    expect(emulator.ledger.jobs).toHaveLength(1);
  });

  it('mean every route with a star, and count anew when they are replaced', async () => {
    const emulator = await faulty([{ on: 'rest', route: '*', do: 'answer', status: 500 }]);
    const read = () => call(emulator, 'GET', '/api/user');
    expect([(await read()).status, (await read()).status]).toEqual([500, 200]);
    emulator.setFaults([{ on: 'rest', route: 'GET /api/user', do: 'answer', status: 501 }]);
    expect([(await read()).status, (await read()).status]).toEqual([501, 200]);
    emulator.setFaults([]);
    expect((await read()).status).toBe(200);
    expect(emulator.ledger.faults.map(({ index }) => index)).toEqual([0, 0]);
  });

  it('find nothing in the words of a local server, on bare paths as well', async () => {
    const emulator = await openLocal({
      faults: [{ on: 'rest', route: 'GET /api/history/{id}', do: 'vanish' }],
    });
    await post(emulator, quick, undefined, { prompt_id: 'p' });
    const { status, bytes } = await call(emulator, 'GET', '/history/p');
    expect([status, bytes.toString()]).toEqual([200, '{}']);
    expect(strikes(emulator)).toEqual(['GET /history/p']);
  });
});

describe('faults of bytes', () => {
  it.each([
    ['rst', 'ECONNRESET'],
    ['fin', 'end'],
  ] as const)('cut by %s before anything is done', async (how, end) => {
    const emulator = await faulty([{ on: 'http', do: 'cut', how }]);
    expect(await raw(emulator, '/api/user')).toMatchObject({ text: '', end });
  });

  it('cut after the answer was ready, after the headers, and in the body', async () => {
    const cut = { on: 'http', route: 'GET /api/user', do: 'cut', how: 'fin' } as const;
    const emulator = await faulty([
      { ...cut, nth: 1, phase: 'afterCommit' },
      { ...cut, nth: 2, phase: 'headers' },
      { ...cut, nth: 3, phase: 'body', bytes: 5 },
      { ...cut, nth: 4, phase: 'body' },
    ]);
    const answers = [];
    for (let read = 0; read < 4; read += 1) answers.push(await raw(emulator, '/api/user'));
    const bodies = answers.map(({ text }) => text.split('\r\n\r\n')[1]);
    expect(answers[0]?.text).toBe('');
    expect(answers[1]?.text).toContain('200 OK');
    expect(bodies.slice(1, 3)).toEqual(['', '{"id"']);
    const [, size] = /content-length: (\d+)/.exec(answers[3]?.text ?? '') ?? [];
    expect(bodies[3]).toHaveLength(Number(size) >> 1);
    expect(new Set(answers.map(({ end }) => end))).toEqual(new Set(['end']));
  });

  it('stall in the middle, with the connection open', async () => {
    const emulator = await faulty([{ on: 'http', do: 'stall', bytes: 3 }]);
    const { text, end } = await raw(emulator, '/api/user', (bytes) => bytes.includes('\r\n\r\n{"i'));
    expect(text.endsWith('\r\n\r\n{"i')).toBe(true);
    expect(end).toBe('open');
  });

  it('slice and drip, and lose nothing', async () => {
    const emulator = await faulty([
      { on: 'http', route: 'GET /api/user', do: 'slice', sizes: [1, 7] },
      { on: 'http', route: 'GET /api/queue', do: 'drip', bytesPerSecond: 2000 },
    ]);
    expect((await call(emulator, 'GET', '/api/user')).body).toMatchObject({ status: 'active' });
    expect((await call(emulator, 'GET', '/api/queue')).body).toEqual({
      queue_running: [],
      queue_pending: [],
    });
    expect(strikes(emulator)).toEqual(['GET /api/user', 'GET /api/queue']);
  });

  it('E17 answer much more than anybody wants, which is JSON all the same', async () => {
    const emulator = await faulty([{ on: 'http', do: 'oversize', bytes: 1_000_000 }]);
    const { headers, body, bytes } = await call(emulator, 'GET', '/api/user');
    expect(Number(headers.get('content-length'))).toBe(bytes.length);
    expect(bytes.length).toBeGreaterThan(1_000_000);
    expect(body).toMatchObject({ status: 'active' });
  });

  it('G9 compress unasked, whole or cut', async () => {
    const emulator = await faulty([
      { on: 'http', do: 'gzip' },
      { on: 'http', do: 'gzip', bytes: 12, nth: 2 },
    ]);
    const whole = await call(emulator, 'GET', '/api/user');
    expect([whole.headers.get('content-encoding'), whole.body['status']]).toEqual(['gzip', 'active']);
    await expect(call(emulator, 'GET', '/api/user')).rejects.toThrow();
  });
});

describe('faults of jobs', () => {
  it('lose the worker without a word', async () => {
    const emulator = await faulty([{ on: 'job', nth: 2, do: 'lose' }]);
    const [first, second] = [await heardOf(emulator), await heardOf(emulator)];
    expect(emulator.ledger.jobs.map(({ state }) => state)).toEqual(['completed', 'lost']);
    expect(await statusOf(emulator, second.promptId)).toBe('failed');
    expect(await statusOf(emulator, first.promptId)).toBe('completed');
    expect(second.listener.heard.map(({ type }) => type)).not.toContain('execution_success');
  });

  it('make a local server forget it', async () => {
    const emulator = await openLocal({ faults: [{ on: 'job', do: 'lose' }] });
    await post(emulator, quick, undefined, { prompt_id: 'gone' });
    while (emulator.ledger.jobs[0]?.state !== 'lost') await call(emulator, 'GET', '/queue');
    const { body } = await call(emulator, 'GET', '/queue');
    expect(body).toEqual({ queue_running: [], queue_pending: [] });
    expect((await call(emulator, 'GET', '/history/gone')).body).toEqual({});
  });

  it('say another word, always or at its time', async () => {
    const emulator = await faulty([
      { on: 'job', nth: 1, do: 'status', word: 'odd' },
      { on: 'job', nth: 2, do: 'status', word: 'early', when: 'moving' },
      { on: 'job', nth: 3, do: 'status', word: 'late', when: 'ended' },
    ]);
    const words = [];
    for (let job = 0; job < 3; job += 1)
      words.push(await statusOf(emulator, (await heardOf(emulator)).promptId));
    expect(words).toEqual(['odd', 'completed', 'late']);
  });

  it.each(['interface', '2026'] as const)('hold outputs back in profile %s', async (profile) => {
    const emulator = await faulty([{ on: 'job', do: 'late-outputs', reads: 2 }], { profile });
    const { promptId } = await heardOf(emulator);
    const outputs = [];
    for (let read = 0; read < 3; read += 1) {
      const body = await historyOf(emulator, promptId);
      outputs.push(profile === '2026' ? (body[promptId] as typeof body)['outputs'] : body['outputs']);
    }
    expect(outputs).toEqual([{}, {}, { 1: { text: ['2 steps'] } }]);
  });

  it('finish while no client is connected', async () => {
    const emulator = await faulty([{ on: 'job', do: 'finish-while-disconnected', events: 4 }], { speed: 20 });
    const listener = await listen(emulator);
    const promptId = await submit(emulator, endless);
    await closed(listener);
    await expect(listen(emulator)).rejects.toThrow('503');
    expect(listener.heard.map(({ type }) => type)).not.toContain('progress');
    await call(emulator, 'POST', '/api/interrupt');
    while ((await statusOf(emulator, promptId)) !== 'cancelled');
    await (await listen(emulator)).until('status');
    expect(emulator.ledger.jobs).toMatchObject([{ promptId, state: 'cancelled' }]);
  });
});

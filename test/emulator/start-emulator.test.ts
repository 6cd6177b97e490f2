import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../src/emulator/start-emulator.js';
import { call, endless, listen, open, quick, runToEnd, submit } from './support.js';

describe('startEmulator', () => {
  it('L1: listens on loopback, on two origins, with a key of its own', async () => {
    const emulator = await open();
    expect(emulator.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(emulator.wsUrl).toBe(emulator.baseUrl.replace('http', 'ws'));
    expect(emulator.storageUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(emulator.storageUrl).not.toBe(emulator.baseUrl);
    expect(emulator.apiKey).toMatch(/^comfyui-[0-9a-f]{64}$/);
  });

  it('draws the same key and job ids from the same seed', async () => {
    const [first, second, other] = [
      await open({ seed: 7 }),
      await open({ seed: 7 }),
      await open({ seed: 8 }),
    ];
    expect(first.apiKey).toBe(second.apiKey);
    expect(first.apiKey).not.toBe(other.apiKey);
    expect(await submit(first, quick)).toBe(await submit(second, quick));
  });

  it('refuses options without sense', async () => {
    await expect(startEmulator({ speed: 0 })).rejects.toThrow(RangeError);
    await expect(startEmulator({ concurrency: 0 })).rejects.toThrow(RangeError);
  });

  it('answers from the moment that its port takes connections', async () => {
    const gone = await open();
    await gone.close();
    const port = Number(new URL(gone.baseUrl).port);
    const starting = startEmulator({ dialect: 'v2', port });
    const asked = async (): Promise<number> => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v2/jobs/a`).catch(() => undefined);
      return answer?.status ?? asked();
    };
    expect(await asked()).toBe(401);
    await (await starting).close();
  });

  it('rejects where the port is taken', async () => {
    const emulator = await open();
    const port = Number(new URL(emulator.baseUrl).port);
    await expect(startEmulator({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('keeps several keys apart', async () => {
    const emulator = await open({ acceptKeys: ['one', 'two'] });
    const promptId = await submit(emulator, quick);
    const path = `/api/job/${promptId}/status`;
    expect(emulator.apiKey).toBe('one');
    expect((await call(emulator, 'GET', path)).status).toBe(200);
    expect((await call(emulator, 'GET', path, undefined, { 'x-api-key': 'two' })).status).toBe(404);
  });

  it('L4: closes sockets, jobs and servers at once, with nothing left', async () => {
    const before = process.getActiveResourcesInfo().filter(isHandle).length;
    const emulator = await startEmulator({ speed: 20 });
    const listener = await listen(emulator);
    const closed = new Promise((resolve) => listener.socket.once('close', resolve));
    await submit(emulator, endless);
    await listener.until('progress');
    await emulator.close();
    await closed;
    await emulator.close();
    await new Promise((resolve) => setImmediate(resolve));
    const after = process.getActiveResourcesInfo().filter(isHandle).length;
    expect(after).toBeLessThanOrEqual(before);
    await expect(fetch(emulator.baseUrl)).rejects.toThrow();
  });

  const isHandle = (name: string): boolean => ['TCPServerWrap'].includes(name);

  it('records every request of both origins, with headers and JSON body', async () => {
    const emulator = await open();
    const { promptId } = await runToEnd(emulator, quick);
    await call(emulator, 'GET', `/api/history_v2/${promptId}?x=1`);
    await fetch(`${emulator.storageUrl}/signed/none`);
    const lines = emulator.requests.map(({ origin, method, url }) => `${origin} ${method} ${url}`);
    expect(lines).toEqual([
      `api GET /ws?clientId=test&token=${emulator.apiKey}`,
      'api POST /api/prompt',
      `api GET /api/history_v2/${promptId}?x=1`,
      'storage GET /signed/none',
    ]);
    expect(emulator.requests[1]?.headers['x-api-key']).toBe(emulator.apiKey);
    expect(emulator.requests[1]?.body).toBe(JSON.stringify({ prompt: quick }));
  });

  it('answers the next matching request as told, once', async () => {
    const emulator = await open();
    emulator.answerOnce('GET', '/api/user', { status: 503, headers: { 'retry-after': '7' }, body: 'busy' });
    const scripted = await call(emulator, 'GET', '/api/user');
    expect([scripted.status, scripted.headers.get('retry-after'), scripted.bytes.toString()]).toEqual([
      503,
      '7',
      'busy',
    ]);
    expect((await call(emulator, 'GET', '/api/user')).status).toBe(200);
  });

  it.each([
    [{ status: 200, headers: { 'no name': 'x' } }, 'answer.headers: takes an object of header values'],
    [{ status: 200, headers: { 'x-odd': 'one\r\ntwo' } }, 'answer.headers: takes an object of header values'],
    [{ status: 200, headers: { Trailer: 'x-sum' } }, 'answer.headers: takes an object of header values'],
    [{ status: 0 }, 'answer.status: takes an HTTP status, 200 to 599'],
    [{ status: 200, body: 5 as unknown as string }, 'answer.body: takes a text'],
    [
      { status: 200, boody: '' },
      'answer.boody: is not known here; it takes status, headers, body, afterCommit, cut',
    ],
  ])('refuses %j for an answer when it is given, and answers on', async (answer, problem) => {
    const emulator = await open();
    expect(() => emulator.answerOnce('POST', '/api/prompt', answer)).toThrow(new TypeError(problem));
    expect((await call(emulator, 'POST', '/api/prompt', { prompt: quick })).status).toBe(200);
  });

  it('commits first and then loses the answer', async () => {
    const emulator = await open({ speed: 20 });
    emulator.answerOnce('POST', '/api/prompt', { status: 0, afterCommit: true, cut: true });
    await expect(call(emulator, 'POST', '/api/prompt', { prompt: endless })).rejects.toThrow();
    const { body } = await call(emulator, 'GET', '/api/prompt');
    expect(body).toEqual({ exec_info: { queue_remaining: 1 } });
  });

  it('cuts without doing anything', async () => {
    const emulator = await open();
    emulator.answerOnce('POST', '/api/prompt', { status: 0, cut: true });
    await expect(call(emulator, 'POST', '/api/prompt', { prompt: quick })).rejects.toThrow();
    const { body } = await call(emulator, 'GET', '/api/prompt');
    expect(body).toEqual({ exec_info: { queue_remaining: 0 } });
  });

  it('injects, counts, cuts and refuses sockets', async () => {
    const emulator = await open();
    const listener = await listen(emulator);
    expect(emulator.openSockets).toBe(1);
    emulator.inject('{"type":"odd","data":{"x":1}}');
    emulator.inject(Uint8Array.of(0, 0, 0, 9, 1));
    expect((await listener.until('odd')).data).toEqual({ x: 1 });
    expect((await listener.until('binary:9')).bytes).toEqual(Buffer.of(1));

    const code = new Promise((resolve) => listener.socket.once('close', resolve));
    emulator.cutSockets();
    expect(await code).toBe(1006);

    emulator.answerOnce('GET', '/ws', { status: 429, body: '{}' });
    await expect(listen(emulator)).rejects.toThrow('429');
    emulator.answerOnce('GET', '/ws', { status: 0, cut: true });
    await expect(listen(emulator)).rejects.toThrow('socket hang up');
    emulator.refuseSockets(503);
    await expect(listen(emulator)).rejects.toThrow('503');
    emulator.refuseSockets(undefined);
    await (await listen(emulator)).until('status');
  });
});

import { describe, expect, it } from 'vitest';
import { httpServer } from '../../helpers/http-server.js';
import { nodeCalls } from '../../../src/core/platform/node/undici-requests.js';
import { once } from 'node:events';
import type { Socket } from 'node:net';

/** A server that says by which connection it was asked, and may end that without an answer; time stands still. */
const calling = async ({ hangsUpAt = 0, headers = {} } = {}) => {
  const connections: Socket[] = [];
  let asked = 0;
  const server = await httpServer((_, response, { socket }) => {
    if (!connections.includes(socket)) connections.push(socket);
    if ((asked += 1) === hangsUpAt) socket.destroy();
    else response.writeHead(200, headers).end(String(connections.indexOf(socket)));
  });
  let now = 0;
  const calls = nodeCalls(() => now);
  let sent = 0;
  const ask = async (method: 'GET' | 'POST'): Promise<string> => {
    const answer = await calls.request({
      method,
      url: server.origin,
      headers: {},
      ...(method === 'POST' ? { json: '{}' } : {}),
      onSent: () => (sent += 1),
    });
    let text = '';
    for await (const piece of answer.body) text += Buffer.from(piece).toString();
    // undici frees a connection a turn after its answer.
    await new Promise((resolve) => setImmediate(resolve));
    return text;
  };
  return {
    server,
    connections,
    pass: (ms: number) => (now += ms),
    sent: () => sent,
    ask,
    post: (): Promise<string> => ask('POST'),
    [Symbol.asyncDispose]: async () => {
      await calls.close();
      await server[Symbol.asyncDispose]();
    },
  };
};

describe('a question', () => {
  it('goes by the connection of a submission, or by one that is kept for longer', async () => {
    await using caller = await calling();
    expect([await caller.post(), await caller.ask('GET')]).toEqual(['0', '0']);
    caller.pass(1001);
    expect([await caller.ask('GET'), await caller.post(), await caller.ask('GET')]).toEqual(['1', '2', '2']);
    caller.pass(1001);
    expect([await caller.ask('GET'), await caller.ask('GET')]).toEqual(['1', '1']);
  });
});

describe('a submission', () => {
  it('E1 goes by a connection that served within the last second', async () => {
    await using caller = await calling();
    expect(await caller.post()).toBe('0');
    caller.pass(1000);
    expect([await caller.post(), await caller.post()]).toEqual(['0', '0']);
  });

  it('E1 goes by a new connection where the last one was idle for longer', async () => {
    await using caller = await calling();
    expect(await caller.post()).toBe('0');
    caller.pass(1001);
    expect([await caller.post(), await caller.post()]).toEqual(['1', '1']);
  });

  it('E1 goes by a new connection where the server would keep the last one only briefly', async () => {
    await using caller = await calling({ headers: { 'keep-alive': 'timeout=1' } });
    expect([await caller.post(), await caller.post()]).toEqual(['0', '1']);
  });

  it('E3 goes by a new connection where the last one was seen to end', async () => {
    await using caller = await calling();
    expect(await caller.post()).toBe('0');
    const [socket] = caller.connections;
    socket?.end();
    if (socket?.closed === false) await once(socket, 'close');
    expect(await caller.post()).toBe('1');
    expect(caller.server.seen).toHaveLength(2);
  });

  it('E1 E3 that a kept connection swallows is unclear, and never sent again', async () => {
    await using caller = await calling({ hangsUpAt: 2 });
    expect(await caller.post()).toBe('0');
    await expect(caller.post()).rejects.toMatchObject({ sent: true });
    expect([caller.sent(), caller.server.seen.length]).toEqual([2, 2]);
    expect(await caller.post()).toBe('1');
  });

  it('is refused after the end, however late', async () => {
    const caller = await calling();
    await caller.post();
    await caller[Symbol.asyncDispose]();
    caller.pass(5000);
    await expect(caller.post()).rejects.toMatchObject({ sent: false });
  });
});

it('sends nothing of a request that is given up before its connection is open', async () => {
  await using caller = await calling();
  const calls = nodeCalls();
  const leaving = new AbortController();
  let sent = 0;
  const asked = calls.request({
    ...{ method: 'POST', url: caller.server.origin, headers: {}, json: '{}' },
    ...{ signal: leaving.signal, onSent: () => (sent += 1) },
  });
  const reason = new Error('enough');
  leaving.abort(reason);
  await expect(asked).rejects.toBe(reason);
  // By the answer to the next one it would have come.
  await caller.post();
  await calls.close();
  expect([sent, caller.server.seen.length]).toEqual([0, 1]);
});

it('opens no connection any more once it was closed, whatever its server would answer', async () => {
  let now = 0;
  await using server = await httpServer((_, response) => response.end('1'));
  const calls = nodeCalls(() => now);
  const post = { method: 'POST', url: server.origin, headers: {}, json: '{}' } as const;
  for await (const { byteLength } of (await calls.request(post)).body) expect(byteLength).toBe(1);
  await calls.close();
  now += 5_000;
  await expect(calls.request(post)).rejects.toMatchObject({ sent: false });
  expect(server.seen).toHaveLength(1);
});

it('takes what only announces an answer for none', async () => {
  await using server = await httpServer((_, response) => {
    response.writeEarlyHints({ link: '</a.css>; rel=preload' });
    response.writeHead(201).end('whole');
  });
  const calls = nodeCalls();
  const { status, body } = await calls.request({ method: 'GET', url: server.origin, headers: {} });
  let text = '';
  for await (const piece of body) text += Buffer.from(piece).toString();
  await calls.close();
  expect([status, text]).toEqual([201, 'whole']);
});

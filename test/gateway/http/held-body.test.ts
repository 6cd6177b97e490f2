import { bodyBudget } from '../../../src/server/gateway/http/body-budget.js';
import { createHandler } from '../../../src/server/gateway/http/handler.js';
import { describe, expect, it } from 'vitest';
import { bearerTokens } from '../../../src/server/gateway/http/bearer-tokens.js';
import { heldBody } from '../../../src/server/gateway/http/held-body.js';
import { json } from '../../../src/server/gateway/http/respond.js';
import { sourceOf } from '../../../src/server/gateway/streams/pull-body.js';
import { virtualClock } from '../../../src/testing.js';
import { watchTokens } from '../../../src/server/gateway/http/watch-tokens.js';

const kibi = 1024;
const large = Uint8Array.from({ length: 150 * kibi }, (_, at) => at % 251);

const held = (bytes = large, maxInAll = 400 * kibi) => {
  const clock = virtualClock();
  const budget = bodyBudget(maxInAll);
  const open = () =>
    heldBody(
      { bytes, held: bytes.byteLength },
      { clock, stallMs: 30_000, hold: budget.open('ann', maxInAll) },
    );
  return { clock, open };
};

describe('a large answer', () => {
  it('T4 comes whole, in pieces', async () => {
    const { open } = held();
    expect(
      new Uint8Array(await new Response(open() as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer()),
    ).toEqual(large);
  });

  it('T4 counts against its caller until it was read or left', async () => {
    const { open } = held();
    const [first, second] = [open(), open()];
    expect(open).toThrow('Your requests that are under way may have');
    await new Response(first as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer();
    const third = open();
    expect(open).toThrow();
    await second.cancel();
    await third.cancel();
    expect([open(), open()]).toHaveLength(2);
  });

  it('T4 is cut where its reader takes nothing, and counts no more', async () => {
    const { open, clock } = held();
    const reader = open().getReader();
    await reader.read();
    await clock.advance(29_999);
    await reader.read();
    await clock.advance(30_000);
    await expect(reader.read()).rejects.toThrow('The reader took nothing for 30000 ms.');
    expect([open(), open()]).toHaveLength(2);
  });
});

describe('the reader of a large answer', () => {
  it('T4 has its time again after each piece, and none to wait for after the last one', async () => {
    const { open, clock } = held(new Uint8Array(300 * kibi));
    const reader = open().getReader();
    for (let piece = 0; piece < 4; piece += 1) {
      await clock.advance(29_999);
      expect((await reader.read()).done).toBe(false);
    }
    expect(clock.pending()).toBe(1);
    await reader.read();
    expect(clock.pending()).toBe(0);
    await clock.advance(60_000);
    expect((await reader.read()).done).toBe(true);
  });

  it('T4 is cut where it never begins, and holds nothing then', async () => {
    const { open, clock } = held(new Uint8Array(300 * kibi));
    const reader = open().getReader();
    expect(open).toThrow();
    await clock.advance(30_000);
    await expect(reader.read()).rejects.toThrow('The reader took nothing for 30000 ms.');
    expect([clock.pending(), open()]).toMatchObject([0, {}]);
  });

  it.each(['has all', 'was cut', 'has left'])('gets nothing more once it %s', async (how) => {
    const { open, clock } = held(new Uint8Array(100 * kibi));
    // A server that writes to sockets itself may pull as its last bytes leave.
    const source = sourceOf(open())!;
    const calls: string[] = [];
    source.to({
      write: ([bytes]) => void calls.push(`${bytes?.byteLength}`),
      close: () => void calls.push('close'),
      error: () => void calls.push('error'),
    });
    source.pull();
    if (how === 'has all') source.pull();
    else if (how === 'was cut') await clock.advance(30_000);
    else source.cancel();
    const before = [...calls];
    expect(before).toEqual(
      {
        'has all': ['65536', '36864', 'close'],
        'was cut': ['65536', 'error'],
        'has left': ['65536'],
      }[how],
    );
    source.pull();
    source.pull();
    expect([calls, clock.pending()]).toEqual([before, 0]);
  });

  it('T4 is cut where it stops half way', async () => {
    const { open, clock } = held(new Uint8Array(300 * kibi));
    const reader = open().getReader();
    await clock.advance(29_999);
    await reader.read();
    await clock.advance(30_000);
    await expect(reader.read()).rejects.toThrow('The reader took nothing for 30000 ms.');
    expect(clock.pending()).toBe(0);
  });
});

describe('a gateway', () => {
  const gateway = () => {
    const clock = virtualClock();
    const route = (path: string, size: number) => ({
      ...({ method: 'GET', path, access: 'caller', errors: 'problem' } as const),
      handle: () =>
        Promise.resolve(
          path === '/refused'
            ? { status: 422, code: 'invalid', message: 'x'.repeat(size) }
            : json({ text: 'x'.repeat(size) }),
        ),
    });
    const handle = createHandler({
      routes: [route('/large', 150 * kibi), route('/small', 10), route('/refused', 150 * kibi)],
      authorize: bearerTokens({ ann: 'token-of-ann', bob: 'token-of-bob' }),
      ...{ tokens: watchTokens({ clock }), clock, limits: { heldBytes: 400 * kibi } },
    });
    return (path: string, token = 'token-of-ann', method = 'GET') =>
      handle(new Request(`http://h${path}`, { method, headers: { authorization: `Bearer ${token}` } }));
  };

  it.each(['/large', '/refused'])(
    'T4 refuses a caller who reads none of its large answers (%s), and nobody else',
    async (path) => {
      const ask = gateway();
      const unread = [await ask(path), await ask(path)];
      const refused = await ask(path);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
      expect(await refused.json()).toMatchObject({ code: 'too_many_bytes' });
      expect((await ask('/small')).status).toBe(200);
      expect((await (await ask(path, 'token-of-bob')).text()).length).toBeGreaterThan(150 * kibi);
      for (const answer of unread) expect((await answer.text()).length).toBeGreaterThan(150 * kibi);
      expect((await ask(path)).status).not.toBe(429);
    },
  );

  it('T4 works on large answers in the turns of their callers', async () => {
    const clock = virtualClock();
    const handle = createHandler({
      routes: [
        {
          ...({ method: 'GET', path: '/', access: 'caller', errors: 'problem' } as const),
          handle: async ({ work }) => {
            await work(10 * kibi * kibi);
            return json({});
          },
        },
      ],
      authorize: ({ headers }) => ({ name: headers.get('x-name') ?? '' }),
      ...{ tokens: watchTokens({ clock }), clock },
    });
    const ask = (name: string) => handle(new Request('http://h/', { headers: { 'x-name': name } }));
    await ask('bob');
    const answered: number[] = [];
    const all = Array.from({ length: 5 }, async () => {
      const { status } = await ask('ann');
      answered.push(clock.now());
      return status;
    });
    expect(await clock.until(Promise.all(all))).toEqual([200, 200, 200, 200, 200]);
    // 32 MiB at once, and 4 MiB a second.
    expect(answered).toEqual([0, 0, 0, 2_000, 4_500]);
  });

  it('T4 holds nothing for a question of the head alone', async () => {
    const ask = gateway();
    for (let nth = 0; nth < 5; nth += 1) {
      const { status, headers } = await ask('/large', 'token-of-ann', 'HEAD');
      expect([status, Number(headers.get('content-length')) > 150 * kibi]).toEqual([200, true]);
    }
  });
});

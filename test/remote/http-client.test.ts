import { answerOf, createHttpClient, mayHelp } from '../../src/page/remote/http-client.js';
import { describe, expect, it } from 'vitest';
import { jsonBy } from '../../src/page/remote/read-answer.js';
import type { PageWorld } from '../../src/core/platform/page.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { createTokens, type TokenSource } from '../../src/page/remote/tokens.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';
import { createRemote, type RemoteOptions } from '../../src/remote.js';

/** A world whose answers the test gives, and what was sent. */
const aWorld = (
  answer: (nth: number, init: RequestInit) => Response | Promise<Response>,
  {
    url = 'http://h/comfy//',
    token,
    headers = {},
  }: { url?: string; token?: TokenSource; headers?: Record<string, string> } = {},
) => {
  const clock = virtualClock();
  const sent: { readonly url: string; readonly init: RequestInit }[] = [];
  const listeners = new Set<() => void>();
  const world = {
    clock,
    random: () => 0.5,
    send: async (to: string, init: RequestInit) => {
      sent.push({ url: to, init });
      return answer(sent.length, init);
    },
    onWake: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  } as unknown as PageWorld;
  const { request, ...more } = createHttpClient(world, () => url, { headers }, createTokens(token, clock));
  return {
    ...more,
    request,
    clock,
    sent,
    listeners,
    wake: () => listeners.forEach((listener) => listener()),
  };
};

const json = jsonBy((value) => value as object);
/** An answer whose body says whether it was let go. */
const withBody = (status: number, headers: Readonly<Record<string, string>> = {}) => {
  const seen = { isLeft: false };
  const body = new ReadableStream({ cancel: () => void (seen.isLeft = true) });
  return { seen, answer: new Response(body, { status, headers }) };
};

describe('a request of a remote', () => {
  it('goes below the address of the gateway, with its own headers and the token, and past every cache', async () => {
    const { request, sent, addressOf } = aWorld(() => Response.json({ a: 1 }), {
      ...{ token: 't', headers: { 'x-own': '1', 'x-both': '1' } },
    });
    expect(await answerOf(request({ path: '/jobs?a=b', headers: { 'x-both': '2' } }, json))).toEqual({
      a: 1,
    });
    expect(sent).toMatchObject([
      {
        url: 'http://h/comfy/jobs?a=b',
        init: {
          ...{ method: 'GET', body: null, cache: 'no-store' },
          headers: { 'x-own': '1', 'x-both': '2', authorization: 'Bearer t' },
        },
      },
    ]);
    expect(addressOf('/x')).toBe('http://h/comfy/x');
    const bare = aWorld(() => Response.json({}));
    await answerOf(bare.request({ method: 'POST', path: '/a', body: 'text' }, json));
    expect(bare.sent[0]?.init).toMatchObject({ method: 'POST', body: 'text', headers: {} });
    expect('authorization' in (bare.sent[0]?.init.headers as object)).toBe(false);
  });

  it('is sent once more with another token after a 401, whose body is let go, and not a third time', async () => {
    let count = 0;
    const refused = withBody(401);
    const { request, sent } = aWorld((nth) => (nth === 1 ? refused.answer : Response.json({})), {
      token: () => `t${(count += 1)}`,
    });
    await answerOf(request({ path: '/a' }, json));
    expect(sent.map(({ init }) => (init.headers as Record<string, string>)['authorization'])).toEqual([
      ...['Bearer t1', 'Bearer t2'],
    ]);
    expect(refused.seen.isLeft).toBe(true);
    const never = aWorld(() => new Response(null, { status: 401 }), { token: () => 't' });
    await expect(answerOf(never.request({ path: '/a' }, json))).rejects.toMatchObject({
      _tag: 'Unauthorized',
    });
    expect(never.sent).toHaveLength(2);
    const other = aWorld(() => new Response(null, { status: 403 }), { token: () => 't' });
    await expect(answerOf(other.request({ path: '/a' }, json))).rejects.toMatchObject({
      _tag: 'Forbidden',
    });
    expect(other.sent).toHaveLength(1);
  });

  it('that gets no answer, or half of one, is a Network error that names it without its query', async () => {
    const cause = new TypeError('fetch failed');
    const { request } = aWorld(() => Promise.reject(cause));
    const expected = {
      ...{ _tag: 'Network', code: 'FETCH', sent: true, endpoint: 'GET /jobs', cause },
      message: 'The request to the gateway failed: fetch failed.',
    };
    await expect(answerOf(request({ path: '/jobs?secret=1?2' }, json))).rejects.toMatchObject(expected);
    const half = aWorld(() => new Response(new ReadableStream({ start: (to) => to.error(cause) })));
    await expect(answerOf(half.request({ path: '/jobs?secret=1' }, json))).rejects.toMatchObject(expected);
    const post = aWorld(() => Promise.reject(cause));
    await expect(answerOf(post.request({ method: 'POST', path: '/a' }, json))).rejects.toMatchObject({
      endpoint: 'POST /a',
    });
  });

  it('is tried again some times where that may help: later each time, and no sooner than the gateway asks', async () => {
    const { request, withRetries, clock, sent, listeners } = aWorld(
      () => new Response(null, { status: 500 }),
    );
    const times: number[] = [];
    const failed = answerOf(request({ path: '/a' }, json, withRetries)).catch((error: unknown) => error);
    await clock.advance(0);
    for (let quarter = 0; quarter < 60; quarter += 1) {
      while (times.length < sent.length) times.push(clock.now());
      await clock.advance(250);
    }
    expect(times).toEqual([0, 500, 1_500, 3_500, 7_500]);
    expect(await clock.until(failed)).toMatchObject({ _tag: 'ServerError' });
    expect([sent.length, listeners.size, clock.pending()]).toEqual([6, 0, 0]);

    const asked = aWorld((nth) =>
      nth === 1 ? new Response(null, { status: 429, headers: { 'retry-after': '7' } }) : Response.json({}),
    );
    const answered = answerOf(asked.request({ path: '/a' }, json, asked.withRetries));
    await asked.clock.advance(0);
    expect(asked.listeners.size).toBe(0);
    await asked.clock.advance(6_999);
    expect(asked.sent).toHaveLength(1);
    await asked.clock.advance(1);
    expect(await answered).toEqual({});
    expect(asked.delayOf(serviceError('ServerError', {}), 0)).toBe(500);
    expect(asked.delayOf(serviceError('RateLimited', { retryAfterMs: 100 }), 1)).toBe(1_000);
  });

  it('is tried again at once when the page is back', async () => {
    const { request, withRetries, clock, sent, listeners, wake } = aWorld((nth) =>
      nth === 1 ? new Response(null, { status: 500 }) : Response.json({}),
    );
    const answered = answerOf(request({ path: '/a' }, json, withRetries));
    await clock.advance(0);
    expect(listeners.size).toBe(1);
    wake();
    expect(await answered).toEqual({});
    expect([sent.length, listeners.size, clock.pending(), clock.now()]).toEqual([2, 0, 0, 0]);
  });

  it('ends with its subscriber, while it is under way and while it waits', async () => {
    const { request, withRetries, clock, sent, listeners } = aWorld(
      () => new Response(null, { status: 500 }),
    );
    const errors: unknown[] = [];
    const error = (cause: unknown): void => void errors.push(cause);
    const waiting = request({ path: '/a' }, json, withRetries).subscribe({ error });
    await clock.advance(0);
    waiting.unsubscribe();
    expect([listeners.size, clock.pending()]).toEqual([0, 0]);
    await clock.advance(10_000);
    expect(sent).toHaveLength(1);

    let signal: AbortSignal | undefined;
    const slow = aWorld((_, init) => {
      signal = init.signal ?? undefined;
      return new Promise((__, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    });
    const running = slow.request({ path: '/a' }, json, slow.withRetries).subscribe({ error });
    await slow.clock.advance(0);
    running.unsubscribe();
    await slow.clock.advance(10_000);
    expect([signal?.aborted, slow.sent.length, errors]).toEqual([true, 1, []]);
  });

  it('whose reader gives nothing rejects', async () => {
    const { request } = aWorld(() => Response.json({}));
    await expect(answerOf(request({ path: '/a' }, () => Promise.resolve()))).rejects.toMatchObject({
      _tag: 'Decode',
    });
  });

  it('may be tried again unless the queue is full or the error is final', () => {
    expect(mayHelp(serviceError('ServerError', {}))).toBe(true);
    expect(mayHelp(serviceError('QueueFull', {}))).toBe(false);
    expect(mayHelp(serviceError('NotFound', {}))).toBe(false);
  });
});

describe('T11 cookies', () => {
  it('go along where the page asks for it, and as fetch has it otherwise', async () => {
    const credentialsOf = async (options: RemoteOptions): Promise<unknown> => {
      let seen: unknown;
      const fetch = (_: unknown, init?: RequestInit): Promise<Response> => {
        seen = init?.credentials;
        return Promise.resolve(Response.json({ jobs: [] }));
      };
      await createRemote({ url: 'https://gateway.example', fetch, ...options }).list();
      return seen;
    };
    expect(await credentialsOf({ credentials: 'include' })).toBe('include');
    expect(await credentialsOf({})).toBeUndefined();
  });
});

import { CallScope } from '../../src/core/http/call-scope.js';
import { describe, expect, it } from 'vitest';
import { fileBody } from '../../src/core/http/file-body.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

/** Reads a body whose pieces come every `everyMs`; the reader takes `pauseMs` over each. */
const reading = (everyMs: number, bytes: number, { pauseMs = 0, count = 1e6, silenceMs = 30_000 } = {}) => {
  const clock = virtualClock();
  const caller = new AbortController();
  const scope = new CallScope({ clock, timeoutMs: 60_000, signal: caller.signal });
  const context = { endpoint: 'GET /api/view', timeoutMs: 60_000, redact: (text: string) => text };
  let discarded = 0;
  const wait = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
  const body = fileBody(
    {
      status: 200,
      headers: {},
      discard: () => undefined,
      body: (async function* () {
        for (let nth = 0; nth < count; nth += 1) {
          await wait(everyMs);
          yield new Uint8Array(bytes);
        }
      })(),
    },
    undefined,
    { filename: 'a.png', clock, scope, context, silenceMs },
    () => (discarded += 1),
  );
  let received = 0;
  const done = (async (): Promise<unknown> => {
    for await (const chunk of body) {
      received += chunk.byteLength;
      if (pauseMs > 0) await wait(pauseMs);
    }
    return 'whole';
  })().catch((cause: unknown) => cause);
  return { clock, done, caller, received: () => received, discarded: () => discarded };
};

describe('a body', () => {
  it.each([
    ['a byte a second', 1_000, 1],
    ['a byte every 29 s', 29_000, 1],
    ['just below 1 KiB a second', 1_000, 1023],
    ['a burst and then drops', 20_000, 10_000],
  ])('G11 of %s is given up within 70 s', async (_, everyMs, bytes) => {
    const { clock, done, discarded } = reading(everyMs, bytes);
    await clock.advance(70_000);
    expect(await done).toMatchObject({ _tag: 'DownloadFailed', filename: 'a.png' });
    expect(((await done) as Error).message).toContain('slower than 1 KiB a second');
    expect(discarded()).toBe(1);
  });

  it('G11 that never begins is given up after 30 s', async () => {
    const { clock, done, discarded } = reading(40_000, 1e6);
    await clock.advance(29_999);
    expect(discarded()).toBe(0);
    await clock.advance(1);
    expect(((await done) as Error).message).toContain('nothing came for 30000 ms');
    expect(discarded()).toBe(1);
  });

  it.each([
    ['1 KiB a second', 1_000, 1024],
    ['60 KiB at once and then long breaks', 29_000, 61_440],
  ])('G11 of %s is read on', async (_, everyMs, bytes) => {
    const { clock, received, discarded } = reading(everyMs, bytes);
    await clock.advance(600_000);
    expect(discarded()).toBe(0);
    expect(received()).toBeGreaterThanOrEqual(600 * 1024);
  });

  it('G11 is not too slow where its reader is', async () => {
    const { clock, done, received } = reading(10, 100, { pauseMs: 50_000, count: 20 });
    await clock.advance(20 * 50_010);
    expect(await done).toBe('whole');
    expect(received()).toBe(2000);
  });

  it('G11 G19 ends with its caller, at once', async () => {
    const { clock, done, caller, discarded } = reading(1_000, 2_000);
    await clock.advance(10_500);
    caller.abort();
    expect(await done).toMatchObject({ _tag: 'Aborted' });
    expect(discarded()).toBe(1);
    await clock.advance(1_000);
    expect(clock.pending()).toBe(0);
  });
});

it('a body that is longer than it was announced is given up at once, and its rest is not read', async () => {
  const clock = virtualClock();
  let pulled = 0;
  let discarded = 0;
  const endless = async function* () {
    for (;;) {
      pulled += 1;
      yield await Promise.resolve(new Uint8Array(3));
    }
  };
  const context = { endpoint: 'GET /api/view', timeoutMs: 60_000, redact: (text: string) => text };
  const body = fileBody(
    { status: 200, headers: {}, discard: () => undefined, body: endless() },
    7,
    {
      ...{ filename: 'a.png', clock, context, silenceMs: 30_000 },
      scope: new CallScope({ clock, timeoutMs: 60_000 }),
    },
    () => (discarded += 1),
  );
  let received = 0;
  const read = async () => {
    for await (const { byteLength } of body) received += byteLength;
  };
  await expect(read()).rejects.toThrow('more than the 7 bytes came');
  expect([received, pulled, discarded, clock.pending()]).toEqual([6, 3, 1, 0]);
});

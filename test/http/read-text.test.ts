import { CallScope } from '../../src/core/http/call-scope.js';
import { describe, expect, it, vi } from 'vitest';
import { readText, type ReadTextOptions } from '../../src/core/http/read-text.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const kibi = 1024;

/** Reads a body of these pieces, and says how many were read and whether the rest was discarded. */
const read = async (
  pieces: readonly (string | Uint8Array)[],
  options: Partial<ReadTextOptions> = {},
  failure?: Error,
) => {
  const clock = virtualClock();
  const state = { pulled: 0, discarded: 0 };
  const body = (async function* () {
    for (const piece of pieces) {
      state.pulled += 1;
      yield await Promise.resolve(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
    }
    if (failure !== undefined) throw failure;
  })();
  const scope = new CallScope({ clock, timeoutMs: 1_000 });
  const moved = vi.spyOn(scope, 'moved');
  const response = { status: 200, headers: {}, body, discard: () => (state.discarded += 1) };
  const given = { maxBytes: Infinity, ...options };
  const answer = await readText(response, scope, given).catch((error: unknown) => error as Error);
  return { ...state, answer, moved: moved.mock.calls.flat() };
};

const euro = new TextEncoder().encode('€');

describe('a body as text', () => {
  it('is whole, in whatever pieces its characters come', async () => {
    for (const pieces of [[], ['a'], ['a', 'b'], [euro.subarray(0, 1), euro.subarray(1), 'x']])
      expect(await read(pieces)).toMatchObject({
        answer: { text: pieces.length === 3 ? '€x' : pieces.join(''), isTruncated: false },
        discarded: 0,
      });
    const halves = new TextEncoder().encode('é'.repeat(100 * kibi));
    const [one, other] = [halves.subarray(0, 100 * kibi + 1), halves.subarray(100 * kibi + 1)];
    expect((await read([one, other])).answer).toEqual({ text: 'é'.repeat(100 * kibi), isTruncated: false });
    const large = 'é'.repeat(100 * kibi);
    expect((await read([large, 'x'])).answer).toEqual({ text: `${large}x`, isTruncated: false });
  });

  it('is cut at its bound, of which the beginning is kept, and its rest is discarded', async () => {
    expect(await read(['abc', 'def', 'ghi'], { maxBytes: 6 })).toMatchObject({
      ...{ answer: { isTruncated: true }, pulled: 3, discarded: 1 },
    });
    expect(await read(['abc', 'def'], { maxBytes: 6 })).toMatchObject({
      ...{ answer: { text: 'abcdef', isTruncated: false }, discarded: 0 },
    });
    const { answer } = await read(['abcdefgh'], { maxBytes: 4 });
    expect(answer).toEqual({ text: 'abcd', isTruncated: true });
  });

  it('keeps of what is cut the first 64 KiB, in the pieces that they came in', async () => {
    const [small, large] = ['a'.repeat(10), 'b'.repeat(64 * kibi)];
    const cut = async (...pieces: string[]) => {
      const maxBytes = pieces.join('').length + 5;
      const { answer } = await read([...pieces, 'c'.repeat(10)], { maxBytes });
      return (answer as { readonly text: string }).text;
    };
    expect(await cut(large)).toBe(large);
    expect(await cut(large, small, small)).toBe(large);
    expect(await cut(small, small, large)).toBe(small + small + large);
  });

  it('has more time with each piece, unless a part will do', async () => {
    expect((await read(['abc', 'de'])).moved).toEqual([3, 2]);
    expect((await read(['abc', 'de'], { acceptPartial: true })).moved).toEqual([]);
  });

  it('is handed over by each mebibyte, where somebody takes it, and read no further once nobody does', async () => {
    const taken: number[] = [];
    const take = (text: string) => Promise.resolve(taken.push(text.length) < 2);
    const pieces = Array<string>(40).fill('x'.repeat(100 * kibi));
    const { pulled, discarded, answer } = await read(pieces, { take });
    expect(taken).toEqual([1_100 * kibi, 1_100 * kibi]);
    expect([pulled, discarded, answer]).toMatchObject([22, 1, { isTruncated: true }]);
    const whole = ['x'.repeat(kibi * kibi), 'y'];
    expect(await read(whole, { take: () => Promise.resolve(false) })).toMatchObject({ pulled: 1 });
    const rest = await read(pieces.slice(0, 12), { take: () => Promise.resolve(true) });
    expect(rest.answer).toEqual({ text: 'x'.repeat(100 * kibi), isTruncated: false });
  });

  it('rejects where it breaks off, unless a part will do', async () => {
    const cut = new Error('cut');
    expect(await read(['abc'], {}, cut)).toMatchObject({ answer: cut, discarded: 1 });
    expect(await read(['abc'], { acceptPartial: true }, cut)).toMatchObject({
      ...{ answer: { text: 'abc', isTruncated: true }, discarded: 1 },
    });
  });
});

import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { JsonMeter, type JsonBounds } from '../../../src/core/protocol/json/json-meter.js';

/** What a text exceeds, read in pieces of so many bytes. */
const exceeded = (text: string, bounds: Partial<JsonBounds>, pieceBytes = 7): string | undefined => {
  const meter = new JsonMeter({ levels: Infinity, values: Infinity, ...bounds });
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const found = meter.push(bytes.subarray(at, at + pieceBytes));
    if (found !== undefined) return found;
  }
  return undefined;
};

const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map((member) => levelsOf(member)))
    : 0;

describe('a meter of JSON', () => {
  it('law: measures the levels of a text as of its value, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 6, stringUnit: 'binary' }),
        fc.integer({ min: 1, max: 9 }),
        (text, piece) => {
          const levels = levelsOf(JSON.parse(text));
          expect(exceeded(text, { levels }, piece)).toBeUndefined();
          if (levels > 0) expect(exceeded(text, { levels: levels - 1 }, piece)).toBe('levels');
        },
      ),
    );
  });

  it('takes no sign inside of a string for one, escaped quotes and backslashes included', () => {
    for (const text of ['"[[[{{"', '"\\"[[["', '"\\\\\\"[[["', '{"[[[":"\\\\"}', '"\\u005b\\""'])
      for (const piece of [1, 2, 3, 99])
        expect([text, exceeded(text, { levels: 1, values: 2 }, piece)]).toEqual([text, undefined]);
    expect(exceeded('["\\\\",[[]]]', { levels: 2 })).toBe('levels');
  });

  it('counts each value, and stops at the first one too many', () => {
    expect(exceeded(`[${'{},'.repeat(98)}{}]`, { values: 199 })).toBeUndefined();
    expect(exceeded(`[${'{},'.repeat(98)}{}]`, { values: 198 })).toBe('values');
    expect(exceeded(`[${'['.repeat(1_000)}`, { levels: 64 })).toBe('levels');
  });
});

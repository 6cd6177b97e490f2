import { runs } from '../../helpers/runs.js';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { JsonPieces, type JsonPath, type PieceOf } from '../../../src/core/protocol/json/json-pieces.js';

/** Reads a text in chunks that end at these places. */
const split = (text: string, pieceOf: PieceOf, cuts: readonly number[] = []) => {
  const reader = new JsonPieces(pieceOf);
  const pieces = [];
  let from = 0;
  for (const cut of [...cuts].sort((one, other) => one - other).concat(text.length)) {
    pieces.push(...reader.push(text.slice(from, cut)));
    from = Math.max(from, Math.min(cut, text.length));
  }
  return { pieces, rest: reader.rest, kept: reader.kept };
};

/** The value with `null` where a piece was taken out, and the pieces, found by a walk of the parsed value. */
const expected = (value: unknown, pieceOf: PieceOf) => {
  const pieces: { path: JsonPath; value: unknown }[] = [];
  const without = (inner: unknown, path: JsonPath): unknown => {
    const kind = pieceOf(path);
    if (kind === 'part') pieces.push({ path, value: inner });
    if (kind !== undefined) return null;
    if (Array.isArray(inner)) return inner.map((element, index) => without(element, [...path, index]));
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([name, member]) => [name, without(member, [...path, name])]),
    );
  };
  return { rest: without(value, []), pieces };
};

const kindOf =
  (seed: number): PieceOf =>
  (path) =>
    path.length === 0
      ? undefined
      : (['part', 'skip', undefined, undefined, undefined] as const)[
          (JSON.stringify(path).length * 7 + path.length + seed) % 5
        ];

describe('JsonPieces', () => {
  it('N1 law: takes out what the parsed value has in these places, however the text is cut', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.nat(4),
        fc.array(fc.nat(500)),
        fc.constantFrom(undefined, 1, 70),
        (value, seed, cuts, indent) => {
          const text = JSON.stringify(value, null, indent);
          const parsed = JSON.parse(text) as unknown;
          const { rest, pieces } = split(text, kindOf(seed), cuts);
          const wanted = expected(parsed, kindOf(seed));
          expect(JSON.parse(rest)).toEqual(wanted.rest);
          expect(
            pieces.map(({ path, text: piece }) => ({ path, value: JSON.parse(piece) as unknown })),
          ).toEqual(wanted.pieces);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('N1 keeps nothing of what it skips, and few of the blanks between values', () => {
    const text = `{"a":${' '.repeat(1_000)}1,"b":${JSON.stringify('x'.repeat(1_000))}}`;
    const { kept, rest } = split(text, ([name]) => (name === 'b' ? 'skip' : undefined));
    expect(JSON.parse(rest)).toEqual({ a: 1, b: null });
    expect(kept).toBeLessThan(20);
  });

  it.each(['{"a":[}', '{"a" 1}', ']', '{"a":"\\', '}}{{', '[1,,2]', '{"a":1,}', '"', '{{}}'])(
    'N1 leaves invalid JSON invalid: %s',
    (text) => {
      expect(() => JSON.parse(split(text, () => undefined).rest) as unknown).toThrow();
    },
  );
});

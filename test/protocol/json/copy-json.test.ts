import { copyJson } from '../../../src/core/protocol/json/copy-json.js';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';

const nested = (levels: number): unknown => (levels === 0 ? 'end' : [nested(levels - 1)]);

describe('a copy of JSON', () => {
  it('equals what it was made of, and shares nothing with it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        const parsed: unknown = JSON.parse(text);
        const copy = copyJson(parsed);
        if (copy === undefined) return text.includes('"__proto__"');
        spoil(parsed);
        expect(JSON.stringify(copy)).toBe(text);
        return true;
      }),
    );
  });

  it.each([
    ['a function', { a: () => 1 }],
    ['a date', [new Date(0)]],
    ['a map', new Map()],
    ['an absent member', { a: undefined }],
    ['a symbol', Symbol('s')],
    ['bytes', new Uint8Array(1)],
    ['a member called __proto__', JSON.parse('{"__proto__": 1}')],
    ['more levels than 64', nested(65)],
  ])('is not made of %s', (_, value) => {
    expect(copyJson(value)).toBeUndefined();
  });

  it('is made of objects without a prototype, and of 64 levels', () => {
    const bare = Object.assign(Object.create(null) as object, { a: [null, true] });
    expect(copyJson(bare)).toEqual({ a: [null, true] });
    expect(copyJson({ a: [2n ** 64n] })).toEqual({ a: [2n ** 64n] });
    expect(copyJson(nested(63))).toEqual(nested(63));
  });

  it('is not made of what refers to itself', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    expect(copyJson(loop)).toBeUndefined();
  });
});

/** Changes every object and list in a value. */
const spoil = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) spoil(member);
  if (Array.isArray(value)) value.push('more');
  else Object.assign(value, { more: 'more' });
};

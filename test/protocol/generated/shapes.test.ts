import { readFileSync } from 'node:fs';
import * as t from 'io-ts';
import { describe, expect, it } from 'vitest';
import { shapeDefinitions } from '../../../scripts/shape-definitions.js';
import { shapeOf, shapesFile, shapesSource } from '../../../scripts/shapes-source.js';

describe('shapes', () => {
  it('are what the codecs make', async () => {
    expect(readFileSync(shapesFile, 'utf8')).toBe(await shapesSource(shapeDefinitions));
  });
});

describe('shapeOf', () => {
  it.each<[string, t.Mixed, unknown]>([
    ['a string', t.string, 's'],
    ['anything', t.unknown, '*'],
    ['any list', t.UnknownArray, 'l'],
    ['a list', t.array(t.string), { is: 'l', each: 's' }],
    ['a map of anything', t.record(t.string, t.unknown), 'o'],
    ['an object or null', t.union([t.null, t.type({ a: t.number })]), { is: '0o', has: { a: 'n' } }],
    ['a member that must be there', t.type({ a: t.unknown }), { is: 'o', has: { a: '*' } }],
    ['members that need not', t.partial({ a: t.unknown, b: t.boolean }), { is: 'o', has: { b: 'bu' } }],
    [
      'what both of two objects have',
      t.intersection([t.type({ a: t.string }), t.partial({ b: t.union([t.null, t.undefined]) })]),
      { is: 'o', has: { a: 's', b: '0u' } },
    ],
  ])('of %s', (_, codec, shape) => expect(shapeOf(codec, 'some')).toStrictEqual(shape));

  it.each<[t.Mixed, string]>([
    [t.exact(t.type({ a: t.string })), 'some: no shape can be made of'],
    [t.type({ a: t.tuple([t.string]) }), 'some.a: no shape can be made of [string]'],
    [t.array(t.Int), 'some[]: no shape can be made of Int'],
    [t.record(t.keyof({ a: null }), t.string), 'some: only strings can be keys'],
    [t.union([t.string, t.unknown]), 'some: a union with anything is no shape'],
    [t.union([t.type({ a: t.string }), t.type({ b: t.string })]), 'some: the members of a union must differ'],
    [t.intersection([t.type({ a: t.string }), t.type({ a: t.number })]), 'some: an intersection must be'],
  ])('refuses what it can make none of', (codec, message) => {
    expect(() => shapeOf(codec, 'some')).toThrow(message);
  });
});

import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { membersOf } from '../../../src/core/protocol/json/members-of.js';
import { runs } from '../../helpers/runs.js';

const read = (text: string) => {
  const members = membersOf(text);
  const entries: [unknown, unknown][] = [];
  for (;;) {
    const { done, value } = members.next();
    if (done === true) return { entries, isWhole: value };
    entries.push([JSON.parse(value.name), JSON.parse(value.value)]);
  }
};

describe('membersOf', () => {
  it('law: yields the members of any object in order', () => {
    const indents = fc.constantFrom(undefined, 1, '\t', ' \n');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), indents, (object, indent) => {
        const text = JSON.stringify(object, undefined, indent);
        const parsed = Object.entries(JSON.parse(text) as object);
        expect(read(` ${text}\r\n`)).toEqual({ entries: parsed, isWhole: true });
      }),
    );
  });

  it('law: never throws, and accepts nothing but a whole object', () => {
    const parts = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '1', ' ');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 20 }), (letters) => {
        const text = letters.join('');
        const members = membersOf(text);
        let next = members.next();
        while (next.done !== true) next = members.next();
        if (next.value) expect(text.trim()).toMatch(/^\{[^]*\}$/u);
      }),
      { numRuns: runs(2000) },
    );
  });

  it.each([
    '',
    ' ',
    '[]',
    '"a"',
    '{"a"}',
    '{"a":1',
    '{"a":1]',
    '{"a":1}x',
    '{"a":1},',
    '{1:2}',
    '{"a',
    '{"a"1}',
    '{"a":1,}',
    '{"a":1,',
    '{,}',
  ])('does not take %j for an object', (text) => {
    const members = membersOf(text);
    let next = members.next();
    while (next.done !== true) next = members.next();
    expect(next.value).toBe(false);
  });
});

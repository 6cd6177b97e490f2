import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { anyCharacter } from '../../helpers/any-character.js';
import { type Member, membersOf, UnreadableObject } from '../../../src/cli/types/members-of.js';

const inChunks = async function* (text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.slice(at, at + size));
};

const read = async (text: string, size = 7): Promise<readonly Member[]> => {
  const members: Member[] = [];
  for await (const member of membersOf(inChunks(text, size))) members.push(member);
  return members;
};

describe('membersOf', () => {
  it('gives the members of any object, in chunks of any size', async () => {
    const object = fc.dictionary(
      fc.string({ unit: anyCharacter }),
      fc.jsonValue({ stringUnit: anyCharacter }),
    );
    await fc.assert(
      fc.asyncProperty(
        object,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom('', ' ', '\n\t'),
        async (value, size, blank) => {
          const text = `${blank}${JSON.stringify(value, null, blank)}${blank}`;
          const members = await read(text, size);
          const wanted = Object.entries(JSON.parse(text) as object);
          expect(members.map((member) => [member.name, JSON.parse(member.text) as unknown])).toEqual(wanted);
        },
      ),
    );
  });

  it('takes numbers and words before the end, and a byte order mark', async () => {
    expect(await read('\uFEFF{"a": 1 ,"b":[NaN,"]"],"c":true}')).toEqual([
      { name: 'a', text: '1' },
      { name: 'b', text: '[NaN,"]"]' },
      { name: 'c', text: 'true' },
    ]);
  });

  it.each([
    '',
    '[]',
    '5',
    '{',
    '{"a"',
    '{"a":',
    '{"a":{',
    '{"a":1',
    '{"a":1,',
    '{"a" 1}',
    '{a:1}',
    '{"\\x":1}',
    '{} {',
    '{}5',
  ])('refuses %s', async (text) => {
    await expect(read(text)).rejects.toBeInstanceOf(UnreadableObject);
  });
});

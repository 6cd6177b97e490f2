import { readFileSync } from 'node:fs';
import * as t from 'io-ts';
import { describe, expect, it } from 'vitest';
import { guardsFile, guardsSource } from '../../../scripts/guards-source.js';
import { eventCodecs } from '../../../src/core/protocol/event-codecs.js';
import { isEventData } from '../../../src/core/protocol/generated/is-event-data.js';
import { eventFixtures } from '../../helpers/event-fixtures.js';

describe('isEventData', () => {
  it('is what the codecs make', async () => {
    expect(readFileSync(guardsFile, 'utf8')).toBe(await guardsSource(new Map(Object.entries(eventCodecs))));
  });

  it.each(eventFixtures.map((fixture) => [fixture.type, fixture.shape, fixture.data] as const))(
    'accepts %s, %s',
    (type, _, data) => expect(isEventData(type, data)).toBe(true),
  );

  it.each(Object.keys(eventCodecs))('accepts no %s that is no object', (type) => {
    for (const data of [undefined, null, true, 0, '', 'x', [], [{}]])
      expect(isEventData(type, data)).toBe(false);
  });

  it.each(['', 'logs', 'Status', 'status ', 'constructor', '__proto__', 'toString'])(
    'has no opinion on the type %j',
    (type) => expect(isEventData(type, {})).toBeUndefined(),
  );

  it('takes an inherited member for a member, as the codecs do', () => {
    const data: unknown = Object.create({ prompt_id: 'p', value: '1', max: 2 });
    expect(eventCodecs.progress.is(data)).toBe(false);
    expect(isEventData('progress', data)).toBe(false);
    expect(isEventData('progress', Object.create({ prompt_id: 'p', value: 1, max: 2 }))).toBe(true);
  });

  it('looks at a node called __proto__ as at any other', () => {
    const state = (node: string): unknown => JSON.parse(`{"prompt_id":"p","nodes":{"__proto__":${node}}}`);
    expect(isEventData('progress_state', state('{"value":1}'))).toBe(true);
    expect(isEventData('progress_state', state('{"value":"1"}'))).toBe(false);
  });
});

describe('guardsSource', () => {
  const sourceOf = (codec: t.Mixed): Promise<string> =>
    guardsSource(new Map([['some_event', codec]]), ['some_event']);

  it.each<[string, t.Mixed, string]>([
    ['a literal', t.literal('a'), `value === 'a'`],
    ['any list', t.UnknownArray, 'Array.isArray(value)'],
    ['any object', t.UnknownRecord, 'isObject(value)'],
    ['anything', t.unknown, 'true'],
    [
      'an intersection, whose members share their conditions',
      t.intersection([t.string, t.string]),
      `typeof value === 'string'`,
    ],
    ['a key that is no name', t.type({ 'a-b': t.null }), `isObject(value) && isNull(value['a-b'])`],
    [
      'a member that may be anything, but must be there',
      t.type({ a: t.unknown }),
      `isObject(value) && (value.a !== undefined || Object.hasOwn(value, 'a')) && isUnknown(value.a)`,
    ],
  ])('tests %s', async (_, codec, test) => {
    expect(await sourceOf(codec)).toContain(
      `const isSomeEvent = (value: unknown): boolean =>${test.length > 60 ? '\n ' : ''} ${test};\n`,
    );
  });

  it('tests equal things by one function', async () => {
    const source = await sourceOf(t.type({ a: t.union([t.string, t.null]), b: t.union([t.string, t.null]) }));
    expect(source.match(/const isStringOrNull\b/g)).toHaveLength(1);
  });

  it.each<[t.Mixed, string]>([
    [t.exact(t.type({ a: t.string })), 'SomeEvent: no guard can be made of'],
    [t.type({ a_b: t.tuple([t.string]) }), 'SomeEventAB: no guard can be made of [string]'],
    [t.type({ a: t.array(t.Int) }), 'SomeEventAItem: no guard can be made of Int'],
    [t.record(t.keyof({ a: null }), t.string), 'SomeEvent: only strings can be keys'],
    [
      t.type({ a_b: t.type({ c: t.string }), aB: t.type({ d: t.string }) }),
      'isSomeEventAB would be the name of two functions',
    ],
  ])('refuses what it can make no guard of', async (codec, message) => {
    await expect(sourceOf(codec)).rejects.toThrow(message);
  });
});

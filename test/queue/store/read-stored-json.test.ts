import { expect, it } from 'vitest';
import { readStoredJson } from '../../../src/server/queue/store/read-stored-json.js';

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

it('reads what is stored with its integers as they are, and nothing that is no JSON', () => {
  expect(readStoredJson('{"seed":18446744073709551615,"steps":7}')).toEqual({
    ...{ seed: 18446744073709551615n, steps: 7 },
  });
  expect(readStoredJson('null')).toBeNull();
  for (const text of ['', '{"cut', 'undefined', '{} {}'])
    expect([text, readStoredJson(text)]).toEqual([text, undefined]);
});

it('takes what nests deeper than it could be written again for nothing', () => {
  expect(readStoredJson(nested(1_000))).toEqual(JSON.parse(nested(1_000)));
  expect(readStoredJson(nested(1_001))).toBeUndefined();
  expect(readStoredJson(nested(200_000))).toBeUndefined();
});

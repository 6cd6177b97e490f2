import { expect, it } from 'vitest';
import { parseExactJson, writeExactJson } from '../../../src/core/protocol/json/exact-json.js';

it.each([
  ['in one text', (marks: readonly string[]) => [marks.join('')]],
  ['each as a text of its own', (marks: readonly string[]) => marks],
  ['as names', (marks: readonly string[]) => [Object.fromEntries(marks.map((mark) => [mark, 0]))]],
])('T1 takes one look at a text that was made to look like its own marks, %s', (_, textsOf) => {
  const marks = Array.from({ length: 90_000 }, (__, nth) => `exact integer ${nth} `);
  const value = [...textsOf(marks), 18446744073709551615n];
  const text = `${JSON.stringify(value.slice(0, -1)).slice(0, -1)},18446744073709551615]`;
  expect(parseExactJson(text)).toEqual(value);
  expect(writeExactJson(value) === text).toBe(true);
});

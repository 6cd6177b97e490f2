import { expect, it } from 'vitest';
import { changeLine, shortened } from '../../../src/cli/report/change-line.js';
import { redactor } from '../../../src/node.js';
import { paint } from '../../../src/cli/terminal/line.js';
import type { WorkflowChange } from '../../../src/workflow.js';

const plain = { colour: false };

it.each<readonly [WorkflowChange, string]>([
  [{ _tag: 'NodeRemoved', nodeId: '1', node: {} as never }, '- N'],
  [{ _tag: 'NodeAdded', nodeId: '1', node: {} as never }, '+ N'],
  [{ _tag: 'IdChanged', nodeId: '1', from: '2' }, '  N: was node 2'],
  [{ _tag: 'ClassChanged', nodeId: '1', from: 'A', to: 'B' }, '  N: class "A" → "B"'],
  [{ _tag: 'TitleChanged', nodeId: '1', from: undefined, to: 'B' }, '  N: title (none) → "B"'],
  [{ _tag: 'InputChanged', nodeId: '1', input: 'x', from: 2n ** 64n }, '  N: x 18446744073… → (none)'],
])('a difference is one line: %o', (change, line) => {
  expect(paint(changeLine({ kind: 'change', node: 'N', change }, 12), plain)).toBe(line);
});

it('a node that came is green, and one that went red', () => {
  const styleOf = (_tag: 'NodeRemoved' | 'NodeAdded') =>
    changeLine({ kind: 'change', node: 'N', change: { _tag, nodeId: '1', node: {} as never } }, 9)[0];
  expect([styleOf('NodeRemoved'), styleOf('NodeAdded')]).toMatchObject([
    { style: 'red' },
    { style: 'green' },
  ]);
});

it('a value is shown as JSON up to a length, without what acts on a terminal', () => {
  const shown = (value: unknown, longest: number) => paint([shortened(value, longest)], plain);
  expect([shown('abc', 5), shown('abcd', 5), shown(null, 9)]).toEqual(['"abc"', '"abc…', 'null']);
  expect(shown('\u202Ea', 99)).toBe('"\\u202ea"');
});

it('H1: a value shows no key that characters part which JSON escapes', () => {
  const key = 'hushhush-0123456789';
  for (const between of ['\u200B', '\u0007', '\u001B[31m', '\u{E0041}'])
    expect(
      paint([shortened({ a: Array.from(key).join(between) }, 99)], {
        colour: false,
        redact: redactor([key]),
      }),
    ).toBe('{"a":"[redacted]"}');
  // Escapes that part none stay.
  expect(paint([shortened('a\u200Bb', 99)], { colour: false, redact: redactor([key]) })).toBe('"a\\u200bb"');
});

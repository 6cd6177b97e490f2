import { expect, it } from 'vitest';
import { changeLine, shortened } from '../../../src/cli/report/change-line.js';
import { inspectionLines } from '../../../src/cli/report/inspection-lines.js';
import type { Inspection } from '../../../src/cli/input/inspection.js';
import { paint } from '../../../src/cli/terminal/line.js';
import type { WorkflowChange } from '../../../src/workflow.js';

const plain = { colour: false };

it.each<readonly [WorkflowChange, string]>([
  [{ _tag: 'NodeRemoved', nodeId: '1', node: {} as never }, '- N'],
  [{ _tag: 'NodeAdded', nodeId: '1', node: {} as never }, '+ N'],
  [{ _tag: 'IdChanged', nodeId: '1', from: '2' }, '  N: was node 2'],
  [{ _tag: 'ClassChanged', nodeId: '1', from: 'A', to: 'B' }, '  N: class "A" → "B"'],
  [{ _tag: 'TitleChanged', nodeId: '1', from: undefined, to: 'B' }, '  N: title (none) → "B"'],
  [{ _tag: 'InputChanged', nodeId: '1', input: 'x', from: 2n ** 64n }, '  N: x 184467440737 … → (none)'],
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
  expect([shortened('abc', 5), shortened('abcd', 5), shortened(null, 9)]).toEqual([
    '"abc"',
    '"abcd …',
    'null',
  ]);
  expect(shortened('\u202Ea', 99)).toBe('"\\u202ea"');
});

const inspection = (more: Partial<Inspection> = {}): Inspection => ({
  ...{ file: 'a.png', format: 'png', holds: ['api'], nodes: [], models: [], problems: [] },
  ...more,
});
const linesOf = (more: Partial<Inspection>) =>
  inspectionLines(inspection(more), 20).map((line) => paint(line, plain));

it('a file is told with what it holds', () => {
  expect(linesOf({})).toEqual(['a.png: png, API format, 0 nodes']);
  expect(linesOf({ holds: ['ui', 'api'], version: 0.4 })).toEqual([
    "a.png: png, editor's format 0.4 and API format, 0 nodes",
  ]);
  expect(linesOf({ holds: ['ui'] })).toEqual(["a.png: png, editor's format, 0 nodes"]);
});

it('its nodes, models and problems are told as far as they are known', () => {
  const nodes = [
    { nodeId: '1', class: 'A', inputs: { x: 1, from: ['2', 0] } },
    { nodeId: '2', class: 'B', title: 'T', inputs: {}, values: ['v'], mode: 'muted', inside: '8', pack: 'p' },
  ];
  const models = [
    { name: 'm' },
    { name: 'n', nodeId: '1', directory: 'vae' },
    { name: 'o', nodeId: '1', input: 'x', url: 'https://a.example/o' },
  ];
  const problems = [
    { severity: 'error', message: 'Broken.' },
    { severity: 'warning', message: 'Odd.' },
  ];
  expect(linesOf({ nodes, models, problems } as never)).toEqual([
    'a.png: png, API format, 2 nodes',
    '1 A',
    '  x = 1',
    '  from ← 2, output 0',
    '2 B "T", inside 8, muted, of p',
    '  = "v"',
    'model m',
    'model n (1) in vae',
    'model o (1.x) from https://a.example/o',
    'error: Broken.',
    'warning: Odd.',
  ]);
  const styles = inspectionLines(inspection({ problems } as never), 9).slice(1);
  expect(styles.map(([first]) => first)).toMatchObject([{ style: 'red' }, { style: 'yellow' }]);
});

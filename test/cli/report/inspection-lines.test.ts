import { expect, it } from 'vitest';
import { inspectionLines } from '../../../src/cli/report/inspection-lines.js';
import type { Inspection } from '../../../src/cli/input/inspection.js';
import { paint } from '../../../src/cli/terminal/line.js';

const inspection = (more: Partial<Inspection> = {}): Inspection => ({
  ...{ file: 'a.png', format: 'png', holds: ['api'], nodes: [], models: [], problems: [] },
  ...more,
});
const linesOf = (more: Partial<Inspection>) =>
  inspectionLines(inspection(more), 20).map((line) => paint(line, { colour: false }));

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

it('a single node is counted as one', () => {
  expect(linesOf({ nodes: [{ nodeId: '1', class: 'A', inputs: {} }] })).toEqual([
    'a.png: png, API format, 1 node',
    '1 A',
  ]);
});

it('long values are shortened, of inputs and of an unconverted node', () => {
  const text = 'x'.repeat(40);
  const nodes = [{ nodeId: '1', class: 'A', inputs: { text }, values: [text] }];
  const short = `"${'x'.repeat(18)}…`;
  expect(linesOf({ nodes }).slice(2)).toEqual([`  = ${short}`, `  text = ${short}`]);
});

it('the name of the file and the ids of nodes stand out', () => {
  const nodes = [{ nodeId: '1', class: 'A', inputs: {} }];
  const [file, node] = inspectionLines(inspection({ nodes }), 9);
  expect([file?.[0], node?.[0]]).toEqual([
    { text: 'a.png', style: 'bold' },
    { text: '1', style: 'cyan' },
  ]);
});

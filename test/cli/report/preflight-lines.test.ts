import { expect, it } from 'vitest';
import { paint } from '../../../src/cli/terminal/line.js';
import { preflightLines } from '../../../src/cli/report/preflight-lines.js';
import type { PreflightReport } from '../../../src/workflow.js';

const report = (more: Partial<PreflightReport> = {}) =>
  ({
    ...{ verdict: 'accepted', problems: [], missingClasses: [], missingModels: [], unknownModels: [] },
    ...{ replaced: [], uploads: [], paidNodes: [], plan: { paidNodes: 'unknown' } },
    ...more,
  }) as unknown as PreflightReport;
const linesOf = (more: Partial<PreflightReport>) =>
  preflightLines(report(more)).map((line) => paint(line, { colour: false }));
const of = (more: Partial<PreflightReport>) => linesOf(more).slice(0, -1);

it.each([
  ['accepted', 'green', 'Accepted'],
  ['partly', 'red', 'Accepted in part'],
  ['refused', 'red', 'Refused'],
  ['unknown', 'red', 'Unknown: the service gives no node classes'],
] as const)('the last line is the verdict: %s', (verdict, style, text) => {
  expect(preflightLines(report({ verdict }))).toEqual([[{ text, style }]]);
});

it('classes that are missing are told with their nodes and their pack', () => {
  const missingClasses = [
    { className: 'Glow', nodeIds: ['7'] },
    { className: 'Haze', nodeIds: ['8', '9'], pack: 'acme/haze' },
  ];
  expect(of({ missingClasses })).toEqual([
    'Class missing: Glow (node 7)',
    'Class missing: Haze (nodes 8, 9), pack acme/haze',
  ]);
});

it('models are told with the input that names them, their folder and their address', () => {
  const [whole, ofNode, alone] = [
    { name: 'a.pth', nodeId: '1', input: 'ckpt', directory: 'vae', url: 'https://models.example/a' },
    { name: 'b.pth', nodeId: '1' },
    { name: 'c.pth' },
  ];
  expect(of({ missingModels: [whole, ofNode], unknownModels: [alone] })).toEqual([
    'Model missing: a.pth (1.ckpt), folder vae, from https://models.example/a',
    'Model missing: b.pth (1)',
    'Model unknown: c.pth',
  ]);
});

it('classes that are replaced are told with what they lose, and whether the service fails', () => {
  const node = (more: object) => ({ nodeId: '2', className: 'A', newClass: 'B', droppedInputs: [], ...more });
  const replaced = [
    node({}),
    node({ droppedInputs: ['x', 'y'], breaks: 'always' }),
    node({ breaks: 'perhaps' }),
  ];
  expect(of({ replaced: replaced })).toEqual([
    'Class replaced: node 2 (A) becomes B',
    'Class replaced: node 2 (A) becomes B, without x, y, at which the service fails',
    'Class replaced: node 2 (A) becomes B, at which the service may fail',
  ]);
});

it('files to upload are told with their size and the bound, as far as these are known', () => {
  const upload = (more: object = {}) => ({ nodeId: '3', input: 'image', name: 'a.png', ...more });
  const uploads = [
    upload(),
    upload({ bytes: 999, isTooLarge: false }),
    upload({ bytes: 2_000, isTooLarge: true }),
  ];
  expect(of({ uploads })[1]).toBe('To upload: a.png (3.image), 999 B');
  expect(of({ uploads, plan: { paidNodes: 'unknown', maxUploadBytes: 1_000 } })).toEqual([
    'To upload: a.png (3.image)',
    'To upload: a.png (3.image), 999 B of at most 1.0 kB',
    'To upload: a.png (3.image), 2.0 kB of at most 1.0 kB: too large',
  ]);
});

it.each([
  ['refused', 'refuses paid nodes'],
  ['open', 'does not refuse paid nodes by itself'],
  ['unknown', 'says nothing of paid nodes'],
] as const)(
  'paid nodes are told with their price on one line, and what the plan says of them: %s',
  (may, words) => {
    const price = { engine: 'jsonata', expression: '{\n  "usd": 1 }', values: {} };
    const paidNodes = [
      { nodeId: '4', className: 'Partner' },
      { nodeId: '5', className: 'Partner', price },
    ];
    expect(of({ paidNodes, plan: { paidNodes: may } })).toEqual([
      'Paid: node 4 (Partner)',
      'Paid: node 5 (Partner), price { "usd": 1 }',
      `Plan: ${words}`,
    ]);
    // A plan says nothing of a workflow without paid nodes.
    expect(of({ plan: { paidNodes: may } })).toEqual([]);
  },
);

it('the free runs of an account are told', () => {
  const freeRuns = (remaining: number) => ({ allowance: 10, used: 10 - remaining, remaining });
  expect(of({ plan: { paidNodes: 'unknown', freeRuns: freeRuns(1) } })).toEqual([
    'Plan: 1 free run left of 10',
  ]);
  expect(of({ plan: { paidNodes: 'unknown', freeRuns: freeRuns(0) } })).toEqual([
    'Plan: 0 free runs left of 10',
  ]);
});

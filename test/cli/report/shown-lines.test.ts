import { expect, it } from 'vitest';
import { jobState, nodeState } from '../helpers/job-state.js';
import type { JobState } from '../../../src/node.js';
import { paint } from '../../../src/cli/terminal/line.js';
import { shownLines } from '../../../src/cli/report/shown-lines.js';

const linesOf = (state: JobState) => shownLines('p', state).map((line) => paint(line, { colour: false }));
const of = (parts: Partial<JobState>) => linesOf(jobState([], parts)).slice(1);

it('a job of which nothing more is known has one line', () => {
  expect(linesOf(jobState([]))).toEqual(['p in_progress']);
});

it.each<readonly [JobState['queue'], string]>([
  [{ position: 2 }, 'p in_progress, place 2'],
  [{ position: 0, reason: 'capacity' }, 'p in_progress, place 0 (capacity)'],
  [{ reason: 'capacity' }, 'p in_progress (capacity)'],
])('a job that waits says where: %o', (queue, line) => {
  expect(linesOf(jobState([], { queue: queue! }))).toEqual([line]);
});

it('the times of a job are told with what lies between them, where that is known', () => {
  const [queued, started, ended] = ['00.000Z', '02.000Z', '05.000Z'].map((end) => `1970-01-01T00:00:${end}`);
  expect(of({ queuedAt: 0, startedAt: 2_000, endedAt: 5_000 })).toEqual([
    `  queued   ${queued}`,
    `  started  ${started}, after 2.0 s`,
    `  ended    ${ended}, after 3.0 s`,
  ]);
  expect(of({ startedAt: 2_000 })).toEqual([`  started  ${started}`]);
  expect(of({ queuedAt: 0, endedAt: 5_000 })).toEqual([`  queued   ${queued}`, `  ended    ${ended}`]);
  // Clocks that disagree tell of no time.
  expect(of({ queuedAt: 5_000, startedAt: 2_000 })[1]).toBe(`  started  ${started}`);
  expect(of({ queuedAt: 2_000, startedAt: 2_000 })[1]).toBe(`  started  ${started}, after 0.0 s`);
});

it('nodes that run are told with their steps and what they do, and no others', () => {
  const nodes = [
    nodeState('1'),
    nodeState('2', { max: 0 }),
    nodeState('3', { max: 0, activity: 'loading' }),
    nodeState('4', { phase: 'finished' }),
  ];
  expect(linesOf(jobState(nodes)).slice(1)).toEqual([
    '  running  node 1 10/20',
    '  running  node 2',
    '  running  node 3 loading',
  ]);
});

it('files are told with their folder, their type and what is known of their content', () => {
  const file = (filename: string, more: object = {}) => ({
    filename,
    subfolder: '',
    type: 'output',
    ...more,
  });
  const images = [
    file('a.png', { width: 64, height: 32 }),
    file('b.png', { width: 64 }),
    file('c.mp4', { subfolder: 'x/y', type: 'temp', duration: 2.5 }),
  ];
  const lines = of({ outputs: { 9: { images } } });
  expect(lines[0]).toMatch(/^ {2}file {5}a\.png/u);
  expect(lines[1]).toBe('  file     b.png');
  expect(lines[2]).toMatch(/^ {2}file {5}x\/y\/c\.mp4 \(temp\)/u);
});

it('pictures, outputs that can’t be read, the failure and warnings are told', () => {
  const failure = { exceptionType: 'OOMError', exceptionMessage: 'out of memory' } as JobState['failure'] &
    object;
  const image = { nodeId: '9' } as never;
  expect(
    of({ socketImages: [image, image], unread: [{}, {}] as never, failure, warnings: ['a', 'b'] }),
  ).toEqual([
    '  pictures 2 over the socket',
    "  unread   2 outputs that can't be read",
    '  failure  OOMError: out of memory',
    '  warning  a',
    '  warning  b',
  ]);
});

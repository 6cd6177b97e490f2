import { batchEnd, batchStarts } from '../../../src/cli/report/batch-lines.js';
import { checkedText, emulatorLines, requestText } from '../../../src/cli/report/serving-lines.js';
import { expect, it } from 'vitest';
import { jobState } from '../helpers/job-state.js';
import type { JobState } from '../../../src/node.js';
import { type Line, paint } from '../../../src/cli/terminal/line.js';

const plain = (lines: readonly Line[]) => lines.map((line) => paint(line, { colour: false }));

it('a folder that was checked is whole, or has problems that are or can be repaired', () => {
  const textOf = (problems: number, repaired: boolean) =>
    checkedText({ kind: 'checked', folder: 'd', problems, repaired });
  expect([textOf(0, true), textOf(1, true), textOf(2, false)]).toEqual([
    'd is whole',
    'd has 1 problem, repaired',
    'd has 2 problems: --repair makes of it what can be read',
  ]);
});

it('a request is told with its caller, where it has one', () => {
  const request = { kind: 'request', method: 'GET', path: '/jobs', status: 200, ms: 3 } as const;
  expect([requestText(request), requestText({ ...request, caller: 'ann' })]).toEqual([
    'GET /jobs 200 3 ms -',
    'GET /jobs 200 3 ms ann',
  ]);
});

it.each([
  ['cloud', []],
  ['local', ['export PROMPTWIRE_DIALECT=local']],
  ['v2', ['export PROMPTWIRE_DIALECT=v2']],
] as const)(
  'other commands are pointed at an emulator by its address and what its dialect needs: %s',
  (dialect, lines) => {
    const event = { kind: 'emulator', dialect, baseUrl: 'http://a', storageUrl: 'http://s' } as const;
    expect(plain(emulatorLines(event))).toEqual(['export PROMPTWIRE_BASE_URL=http://a', ...lines]);
    expect(plain(emulatorLines({ ...event, wsUrl: 'ws://a', apiKey: 'k' }))).toEqual([
      ...['export PROMPTWIRE_BASE_URL=http://a', 'export PROMPTWIRE_WS_URL=ws://a', ...lines],
      'export PROMPTWIRE_API_KEY=k',
    ]);
  },
);

const batch = (phase: JobState['phase'], more: object = {}, index = 0) =>
  ({
    kind: 'batch',
    file: `${index}.json`,
    index,
    of: 2,
    state: { ...jobState([], { phase }), ...more },
  }) as const;

it('a job of many is told when it is over, on which server', () => {
  expect(batchEnd(batch('in_progress'))).toEqual([]);
  expect(plain(batchEnd(batch('completed', { server: 'attic' })))).toEqual(['0.json: completed on attic']);
  expect(plain(batchEnd(batch('failed')))).toEqual(['0.json: failed']);
  const styleOf = (phase: JobState['phase']) => batchEnd(batch(phase))[0]?.[1];
  expect([styleOf('completed'), styleOf('cancelled')]).toMatchObject([{ style: 'green' }, { style: 'red' }]);
});

it('a job of many is told once when it begins to run, and again on another server or once more', () => {
  const starts = batchStarts();
  const told = [
    batch('pending'),
    batch('in_progress', { server: 'attic' }),
    batch('in_progress', { server: 'attic', progress: 0.5 }),
    batch('in_progress', {}, 1),
    batch('in_progress', { server: 'attic', attempt: 1 }),
    batch('in_progress', { server: 'cellar' }),
    batch('in_progress', { server: 'cellar', attempt: 2 }),
    batch('completed', { server: 'cellar', attempt: 2 }),
  ].flatMap((event) => plain(starts(event)));
  expect(told).toEqual([
    '0.json: running on attic',
    '1.json: running',
    '0.json: running on cellar',
    '0.json: running on cellar',
  ]);
});

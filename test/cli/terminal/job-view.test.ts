import { describe, expect, it } from 'vitest';
import { jobView, type JobViewInput } from '../../../src/cli/terminal/job-view.js';
import { paint } from '../../../src/cli/terminal/line.js';
import { textWidth } from '../../../src/cli/terminal/format.js';
import { jobState, nodeState } from '../helpers/job-state.js';

const titles = new Map([
  ['3', 'KSampler'],
  ['8', 'A very long title that a person gave to a node'],
]);

const shown = { value: 0.45, stage: 'running', timeLeftMs: 12_000 } as const;

const drawn = (input: Partial<JobViewInput>): readonly string[] => {
  const { columns = 80 } = input;
  const whole = { state: jobState([]), titles, elapsedMs: 4_200, columns, maxNodes: 8, ...input };
  return jobView(whole).map((line) => paint(line, { colour: false, columns }));
};

describe('jobView', () => {
  const state = jobState([
    nodeState('3'),
    nodeState('8', { value: 1, max: 4, fraction: 0.25, text: 'loading the model' }),
    nodeState('9', { value: 0, max: 0, fraction: 0 }),
    nodeState('4', { phase: 'finished' }),
  ]);

  it('R3: shows the overall bar with the time left, and each running node, over the whole of 80 columns', () => {
    expect(drawn({ state, shown })).toEqual([
      'Running  45 % ████████████████████████▊░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 12 s left',
      '  KSampler                  10/20 ██████████████████████▌░░░░░░░░░░░░░░░░░░░░░░',
      '  A very long title that …    1/4 ██▌░░░░░░░ loading the model',
      '  node 9                        … ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░',
    ]);
  });

  it('shows the same in 40 columns', () => {
    expect(drawn({ state, shown, columns: 40 })).toEqual([
      'Running  45 % ██████▊░░░░░░░░ 12 s left',
      '  KSampler          10/20 ██████▌░░░░░░',
      '  A very long tit…    1/4 ██▌░░░░░░░ lo…',
      '  node 9                … ░░░░░░░░░░░░░',
    ]);
  });

  it('shows a share and a stage that are not those of the state, and how long it may be at the most', () => {
    const unsure = { value: 0.25, stage: 'loading', timeLeftMs: 12_000, timeLeftMaxMs: 40_000 } as const;
    expect(drawn({ state: jobState([]), shown: unsure, columns: 50 })).toEqual([
      'Loading  25 % ████▎░░░░░░░░░░░░ 12 s to 40 s left',
    ]);
  });

  it('shows how long it has taken while there is no pace', () => {
    expect(drawn({ state: jobState([], { phase: 'pending', progress: 0 }) })).toEqual([
      'Waiting   0 % ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 4.2 s',
    ]);
  });

  it('draws a bar of four columns or more, or none', () => {
    const one = jobState([nodeState('3')]);
    expect(drawn({ state: one, columns: 25 })).toEqual([
      'Running  45 % █▊░░ 4.2 s',
      '  KSampler    10/20 ██░░',
    ]);
    expect(drawn({ state: one, columns: 24 })[0]).toBe('Running  45 % 4.2 s');
    expect(drawn({ state: one, columns: 23 })[1]).toBe('  KSampler   10/20');
  });

  it('counts the nodes that have no line', () => {
    const many = jobState(['1', '2', '5', '6'].map((id) => nodeState(id)));
    expect(drawn({ state: many, maxNodes: 3 }).slice(1)).toEqual([
      '  node 1                    10/20 ██████████████████████▌░░░░░░░░░░░░░░░░░░░░░░',
      '  node 2                    10/20 ██████████████████████▌░░░░░░░░░░░░░░░░░░░░░░',
      '  and 2 more',
    ]);
  });

  it.each([10, 20, 40, 80, 200])('never draws beyond %i columns', (columns) => {
    const hostile = jobState([nodeState('猫'.repeat(50), { text: '\u001B[2J\u202Eevil'.repeat(20) })]);
    for (const line of drawn({ state: hostile, columns, shown: { ...shown, timeLeftMs: 3_600_000 } })) {
      expect(textWidth(line)).toBeLessThanOrEqual(columns);
      expect(line).not.toMatch(/[\u0000-\u001F\u202E]/u);
    }
  });
});

describe('jobView of a job that waits', () => {
  it('O6: says where it stands and why', () => {
    const waits = (queue: NonNullable<JobViewInput['state']['queue']>): string =>
      drawn({ state: jobState([], { phase: 'pending', progress: 0, queue }) })[0] ?? '';
    expect(waits({ position: 3, reason: 'concurrency_limit' })).toContain(
      'Waiting (place 3, limit of the account)',
    );
    expect(waits({ reason: 'maintenance\u001B[2J' })).toMatch(/^Waiting \(maintenance\S*\)/u);
  });

  it('O6: says what a node does while it makes no steps', () => {
    expect(drawn({ state: jobState([nodeState('3', { activity: 'loading' })]) })[1]).toContain(' loading');
  });
});

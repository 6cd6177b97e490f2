import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CliEvent } from '../../../src/cli/report/cli-event.js';
import { plainReporter } from '../../../src/cli/report/open-reporter.js';
import { jobState, nodeState } from '../helpers/job-state.js';
import { textIn } from '../helpers/text-in.js';

const written = (events: readonly CliEvent[]) => {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const redact = (text: string): string => text.replaceAll('hush', '[redacted]');
  const { report } = plainReporter({ stdout, stderr, showsResults: false }, { colour: false, redact });
  events.forEach(report);
  return { stdout: textIn(stdout), stderr: textIn(stderr) };
};

const titles = new Map([['3', 'KSampler']]);
const state = (
  progress: number,
  phase: 'running' | 'finished' | 'failed' | 'cached' | 'stopped' = 'running',
): CliEvent => ({
  kind: 'state',
  titles,
  state: jobState([nodeState('3', { phase })], { progress }),
});

describe('plainReporter', () => {
  it('writes a line for each phase and node, and for each 10 %', () => {
    const events = [state(0), state(0.04), state(0.09), state(0.11), state(0.19), state(0.35, 'finished')];
    expect(written(events).stderr).toBe('Running\n  KSampler\n  10 %\n  30 %\n');
  });

  it('tells cached, failed and stopped nodes', () => {
    expect(written([state(0, 'cached')]).stderr).toBe('Running\n  KSampler (cached)\n');
    expect(written([state(0), state(0, 'failed')]).stderr).toBe('Running\n  KSampler\n  KSampler failed\n');
    expect(written([state(0), state(0, 'stopped')]).stderr).toBe('Running\n  KSampler\n  KSampler stopped\n');
  });

  it('tells each phase once, and none that a person need not know', () => {
    const phases = ['submitting', 'pending', 'pending', 'in_progress', 'completed', 'failed', 'cancelled'];
    const events = phases.map((phase): CliEvent => ({
      kind: 'state',
      titles,
      state: jobState([], { phase: phase as never, progress: 0 }),
    }));
    expect(written(events).stderr).toBe('Waiting\nRunning\nCompleted\nFailed\n');
  });

  it('tells each node once in each phase, by its title, and keeps secrets', () => {
    const of = (...nodes: readonly ReturnType<typeof nodeState>[]): CliEvent => ({
      kind: 'state',
      titles: new Map([['4', 'Load hush']]),
      state: jobState(nodes, { progress: 0 }),
    });
    const events = [of(nodeState('3')), of(nodeState('3'), nodeState('4')), of(nodeState('4'))];
    expect(written(events).stderr).toBe('Running\n  node 3\n  Load [redacted]\n');
  });

  it('tells the share and the time left of what is shown, whenever it grows past a tenth, and the whole never', () => {
    const shown = (value: number, timeLeftMs?: number): CliEvent => ({
      kind: 'state',
      titles,
      state: jobState([], { progress: 0 }),
      shown: { value, stage: 'running', ...(timeLeftMs !== undefined && { timeLeftMs }) },
    });
    const events = [
      shown(0.1, 9_000),
      shown(0.05),
      shown(0.1),
      shown(0.19),
      shown(0.2),
      shown(0.99),
      shown(1),
    ];
    expect(written(events).stderr).toBe('Running\n  10 %, 9.0 s left\n  10 %\n  20 %\n  90 %\n');
  });

  it('tells once of each of many jobs that it runs, and where', () => {
    const job = (index: number, phase: string, server?: string, attempt = 1): CliEvent => ({
      ...{ kind: 'batch', file: `${index}.json`, index, of: 2 },
      state: { ...jobState([], { phase: phase as never }), attempt, ...(server !== undefined && { server }) },
    });
    const events = [
      job(0, 'pending'),
      job(0, 'in_progress', 'attic'),
      job(1, 'in_progress'),
      job(0, 'in_progress', 'attic'),
      job(0, 'in_progress', 'cellar', 2),
    ];
    expect(written(events).stderr).toBe(
      '0.json: running on attic\n1.json: running\n0.json: running on cellar\n',
    );
  });

  it('keeps results apart from what is said about them', () => {
    const file = { nodeId: '9', filename: 'a.png', subfolder: '', type: 'output', mediaType: 'image/png' };
    const saved = { ...file, path: '/out/a.png', bytes: 3, verified: false };
    expect(written([{ kind: 'saved', file: saved }])).toEqual({
      stdout: '/out/a.png\n',
      stderr: 'Warning: the storage gave no length for a.png, so a truncated download would go unnoticed\n',
    });
  });
});

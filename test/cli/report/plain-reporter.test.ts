import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CliEvent } from '../../../src/cli/report/cli-event.js';
import { plainReporter } from '../../../src/cli/report/open-reporter.js';
import { jobState, nodeState } from '../helpers/job-state.js';
import { textIn } from '../helpers/text-in.js';

const written = (events: readonly CliEvent[]) => {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const { report } = plainReporter({ stdout, stderr, showsResults: false }, { colour: false });
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

  it('keeps results apart from what is said about them', () => {
    const file = { nodeId: '9', filename: 'a.png', subfolder: '', type: 'output', mediaType: 'image/png' };
    const saved = { ...file, path: '/out/a.png', bytes: 3, verified: false };
    expect(written([{ kind: 'saved', file: saved }])).toEqual({
      stdout: '/out/a.png\n',
      stderr: 'Warning: the storage gave no length for a.png, so a truncated download would go unnoticed\n',
    });
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Cancellation } from '../../src/cli/stop.js';
import { cancelAndWait } from '../../src/cli/stop.js';
import type { Client } from '../../src/client/client-types.js';
import type { JobStatus } from '../../src/core/endpoints/job-status.js';
import { right } from '../../src/core/protocol/either.js';
import type { StopSignal } from '../../src/cli/cli-io.js';
import { asyncScheduler, Subject } from 'rxjs';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A job that is cancelled while the service says of it what the test says. */
const cancelling = (phase: () => JobStatus['phase']) => {
  let asked = 0;
  const client = {
    cancel: () => () => Promise.resolve(right(undefined)),
    rest: {
      jobStatus: (promptId: string) => () => {
        asked += 1;
        return Promise.resolve(right({ promptId, status: phase(), phase: phase() }));
      },
    },
  } as unknown as Client;
  const signals = new Subject<StopSignal>();
  let outcome: Cancellation | undefined;
  const options = { report: () => undefined, signals, scheduler: asyncScheduler };
  void cancelAndWait(client, 'a-job', options).then((end) => (outcome = end));
  return { signals, outcome: () => outcome, asked: () => asked };
};

describe('R3 the wait for the end of a cancelled job', () => {
  it('takes 30 s where the service never ends it, and leaves it asked for', async () => {
    const { outcome, asked } = cancelling(() => 'in_progress');
    await vi.advanceTimersByTimeAsync(29_999);
    expect(outcome()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome()).toBe('asked');
    const last = asked();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked()).toBe(last);
  });

  it('ends with the job, and with a second Ctrl-C', async () => {
    let phase: JobStatus['phase'] = 'in_progress';
    const ended = cancelling(() => phase);
    const stopped = cancelling(() => 'in_progress');
    await vi.advanceTimersByTimeAsync(20_000);
    phase = 'cancelled';
    stopped.signals.next('SIGINT');
    await vi.advanceTimersByTimeAsync(2_000);
    expect([ended.outcome(), stopped.outcome()]).toEqual(['cancelled', 'asked']);
  });
});

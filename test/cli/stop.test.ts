import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Cancellation } from '../../src/cli/stop.js';
import { cancelAndWait, openStop } from '../../src/cli/stop.js';
import type { CliIo } from '../../src/cli/cli-io.js';
import { PassThrough } from 'node:stream';
import type { Client } from '../../src/client/client-types.js';
import type { JobStatus } from '../../src/core/endpoints/job-status.js';
import { left, right } from '../../src/core/protocol/either.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import type { CliEvent } from '../../src/cli/report/cli-event.js';
import type { StopSignal } from '../../src/cli/cli-io.js';
import { asyncScheduler, Subject } from 'rxjs';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A job that is cancelled while the service says of it what the test says: a phase, or an error. */
const cancelling = (phase: () => JobStatus['phase'] | ServiceError, refusal?: ServiceError) => {
  let asked = 0;
  const reports: CliEvent[] = [];
  const client = {
    cancel: () => () => Promise.resolve(refusal === undefined ? right(undefined) : left(refusal)),
    rest: {
      jobStatus: (promptId: string) => () => {
        asked += 1;
        const said = phase();
        return Promise.resolve(
          typeof said === 'string' ? right({ promptId, status: said, phase: said }) : left(said),
        );
      },
    },
  } as unknown as Client;
  const signals = new Subject<StopSignal>();
  let outcome: Cancellation | undefined;
  const options = {
    report: (event: CliEvent) => void reports.push(event),
    signals,
    scheduler: asyncScheduler,
  };
  void cancelAndWait(client, 'a-job', options).then((end) => (outcome = end));
  return { signals, outcome: () => outcome, asked: () => asked, reports };
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

describe('a cancellation', () => {
  it('has come to its end where the service forgets the job, and waits where it can’t be asked', async () => {
    let said: ServiceError = serviceError('Closed', { message: 'It does not answer.' });
    const { outcome, reports } = cancelling(() => said);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(outcome()).toBeUndefined();
    said = serviceError('NotFound', { message: 'No such job.' });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(outcome()).toBe('cancelled');
    expect(reports.map(({ kind }) => kind)).toEqual(['cancelling', 'cancelRequested']);
  });

  it('that the service refuses is told, and waits for nothing', async () => {
    const refusal = serviceError('NotFound', { message: 'No such job.' });
    const { outcome, asked, reports } = cancelling(() => 'in_progress', refusal);
    await vi.advanceTimersByTimeAsync(0);
    expect([outcome(), asked()]).toEqual(['refused', 0]);
    expect(reports).toEqual([
      { kind: 'cancelling', promptId: 'a-job' },
      { kind: 'error', error: refusal },
    ]);
  });
});

describe('the early end of a command', () => {
  const opened = (timeoutMs?: number, uptimeMs = 0) => {
    const signals = new Subject<StopSignal>();
    const stdout = new PassThrough();
    const io = { signals, stdout, uptimeMs: () => uptimeMs, scheduler: asyncScheduler } as unknown as CliIo;
    return { ...openStop(io, timeoutMs), signals, stdout };
  };

  it('comes by a signal, the first one, or by a reader that went away', () => {
    const { signal, reason, signals } = opened();
    expect([signal.aborted, reason()]).toEqual([false, undefined]);
    signals.next('SIGTERM');
    signals.next('SIGINT');
    expect([signal.aborted, reason(), signals.observed]).toEqual([true, 'SIGTERM', false]);
    const piped = opened();
    piped.stdout.emit('error', new Error('EPIPE'));
    expect([piped.signal.aborted, piped.reason()]).toEqual([true, 'pipe']);
  });

  it('comes by --timeout, counted from the start of the process', async () => {
    const { signal, reason } = opened(1_000, 400);
    await vi.advanceTimersByTimeAsync(599);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([signal.aborted, reason()]).toEqual([true, 'timeout']);
    const late = opened(1_000, 5_000);
    await vi.advanceTimersByTimeAsync(0);
    expect(late.reason()).toBe('timeout');
  });

  it('takes a timeout that no timer holds, and none where none is given', async () => {
    const [long, none] = [opened(1e12), opened()];
    await vi.advanceTimersByTimeAsync(20 * 24 * 3_600_000);
    expect([long.reason(), none.reason()]).toEqual([undefined, undefined]);
    long.close();
    none.close();
    expect([long.signals.observed, long.stdout.listenerCount('error'), vi.getTimerCount()]).toEqual([
      false,
      0,
      0,
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import type { ConnectionState } from '../../src/core/socket/connection-state.js';
import type { JobStatus } from '../../src/core/endpoints/job-status.js';
import { repeatCancellations } from '../../src/client/jobs/repeat-cancellations.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { Subject } from 'rxjs';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

/** Cancellations that go on, with the times at which each job was cancelled again. */
const repeating = (stands: () => JobStatus['phase'] | 'unknown' = () => 'in_progress') => {
  const clock = virtualClock();
  const connection = new Subject<ConnectionState>();
  const cancelled: (readonly [promptId: string, at: number])[] = [];
  const cancellations = repeatCancellations({
    clock,
    connection,
    jobStatus: (promptId) => {
      const phase = stands();
      return phase === 'unknown'
        ? TE.left(serviceError('NotFound', { promptId }))
        : TE.right({ promptId, status: phase, phase });
    },
    cancel: (promptId) => {
      cancelled.push([promptId, clock.now()]);
      return TE.right(undefined);
    },
  });
  return { clock, connection, cancellations, cancelled };
};

describe('repeatCancellations', () => {
  it('M16: repeats a cancellation after 1 s, then at growing pauses up to 30 s, once for each job', async () => {
    const { clock, cancellations, cancelled } = repeating();
    cancellations.begin('a');
    cancellations.begin('a');
    await clock.advance(91_000);
    expect(cancelled.map(([, at]) => at / 1_000)).toEqual([1, 3, 7, 15, 31, 61, 91]);
  });

  it.each(['completed', 'cancelled', 'failed', 'unknown'] as const)(
    'M16: sends none where the job is %s by then',
    async (phase) => {
      const { clock, cancellations, cancelled } = repeating(() => phase);
      cancellations.begin('a');
      await clock.advance(60_000);
      expect([cancelled, clock.pending()]).toEqual([[], 0]);
    },
  );

  it('M16: stops at the end of that job, and of all where the client is closed', async () => {
    const { clock, connection, cancellations, cancelled } = repeating();
    for (const id of ['a', 'b']) cancellations.begin(id);
    await clock.advance(1_000);
    cancellations.ended('a');
    await clock.advance(2_000);
    connection.next({ _tag: 'closed' });
    await clock.advance(60_000);
    expect(cancelled).toEqual([
      ['a', 1_000],
      ['b', 1_000],
      ['b', 3_000],
    ]);
    expect(clock.pending()).toBe(0);
  });
});

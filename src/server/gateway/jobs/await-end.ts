import type { Clock } from '../../../core/platform/platform.js';
import { defer, filter, firstValueFrom, map, merge, startWith } from 'rxjs';
import type { EndWait, GatewayJob } from '../model/gateway-jobs.js';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { PublishedJobs } from '../registry/job-registry.js';
import { timerOn } from '../../../core/platform/timer.js';

/** Waits for the end of a job as readers may know it; a job that is forgotten meanwhile is given as it was last. */
export const awaitEnd = async (
  registry: Pick<PublishedJobs, 'get' | 'changes'>,
  clock: Pick<Clock, 'after'>,
  stopped: AbortSignal,
  job: GatewayJob,
  { withinMs, left }: EndWait,
): Promise<GatewayJob> => {
  const { id } = job.record;
  const isOver = (): boolean => {
    const now = registry.get(id);
    return now === undefined || isTerminal(now.state.phase);
  };
  const over = defer(() =>
    registry.changes.pipe(
      filter(({ jobId }) => jobId === id),
      map(() => undefined),
      startWith(undefined),
      filter(isOver),
    ),
  );
  const ends = merge(over, timerOn(clock, withinMs), fromAbortSignal(left), fromAbortSignal(stopped));
  await firstValueFrom(ends, { defaultValue: undefined });
  return registry.get(id) ?? job;
};

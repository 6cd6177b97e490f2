import type { Clock } from '../../../core/platform/platform.js';
import type { JobIndex } from '../../joblog/job-index.js';
import type { JobRegistry } from '../registry/job-registry.js';
import type { SharedJobs } from '../registry/shared-jobs.js';
import { catchError, defer, EMPTY, exhaustMap, repeat, type Subscription } from 'rxjs';
import { timerOn } from '../../../core/platform/timer.js';

const everyMs = 60_000;

/** Forgets, every minute, the jobs that ended longer ago than the gateway keeps them. */
export const forgetExpired = (
  clock: Clock,
  index: JobIndex,
  registry: JobRegistry,
  shared: SharedJobs,
): Subscription => {
  const expire = async (): Promise<void> => {
    await forgetExpiredNow(clock, index, registry);
    await shared.kept(
      registry.all().filter(({ record }) => record.ended !== undefined && record.expiresAt <= clock.wall()),
    );
  };
  return timerOn(clock, everyMs, { background: true })
    .pipe(
      repeat(),
      exhaustMap(() => defer(expire).pipe(catchError(() => EMPTY))),
    )
    .subscribe({ error: () => undefined });
};

/** Forgets what ended and is past its time: in the index, then in the registry with its events. */
export const forgetExpiredNow = async (
  clock: Pick<Clock, 'wall'>,
  index: JobIndex,
  registry: JobRegistry,
): Promise<void> => {
  for (const record of await index.expire(clock.wall())) await registry.remove(record).catch(() => undefined);
};

import { askServer } from './ask-server.js';
import { intervalOn } from '../../../core/platform/timer.js';
import { limitTurns } from '../jobs/slots.js';
import type { OpenQueue } from '../jobs/open-queue.js';
import { publish } from '../telemetry/channels.js';
import type { QueueWorkerOptions } from '../options.js';
import { catchError, defer, EMPTY, exhaustMap, startWith, type Subscription } from 'rxjs';
import { uuid } from '../../../core/platform/uuid.js';

/** How often a worker looks after the whole queue, in milliseconds. */
const everyMs = 5_000;
/** A server that answers later counts as away, in milliseconds. */
const answerWithinMs = 3_000;
/** A turn that is so late is lost, in milliseconds. */
const overdueMs = 5_000;
const [keptJobs, keptMs, keptBytes] = [10_000, 7 * 24 * 3600 * 1000, 256 * 1024 * 1024];
/** The most turns that are added at once. */
const mostTurns = 1_000;

/**
 * Looks after the queue from time to time: sets how many turns run at once, adds the turns that a crash has lost between a job and its
 * turn, and those of held jobs that are gone, forgets old jobs, and publishes how full the queue is. A turn too many takes no job and ends.
 */
export const keepUp = (
  {
    turns,
    whole,
    clock,
    logger,
    redis,
    trouble,
  }: Pick<OpenQueue, 'turns' | 'whole' | 'clock' | 'logger' | 'redis' | 'trouble'>,
  {
    name,
    retention: { count = keptJobs, ageMs = keptMs, bytes = keptBytes } = {},
  }: Pick<QueueWorkerOptions, 'name' | 'retention'>,
): Subscription =>
  intervalOn(clock, everyMs)
    .pipe(
      startWith(undefined),
      exhaustMap(() =>
        defer(async () => {
          const asked = await askServer({ whole, clock, redis, trouble }, answerWithinMs);
          if (asked === undefined) return;
          await limitTurns({ whole, turns });
          const { waiting, delayed, held, unknown, foreign, slots: limit } = asked;
          const missing = Math.min(mostTurns, waiting - (await turns.due()));
          const extra = Array.from({ length: Math.max(0, missing) }, () => uuid());
          // A turn that is there is not added, one that came to its end without its job is.
          const lost = [...extra, ...(await whole.overdue(overdueMs)), ...(await whole.heldTurns())];
          if (lost.length > 0) await turns.addAll(lost.map((id) => ({ id })));
          await whole.prune({ count, ageMs, bytes });
          const stats = { queue: name, waiting, delayed, held, unknown, foreign, limit };
          publish('promptwire:queue:stats', () => stats, logger);
          // What fails now is done next time.
        }).pipe(catchError(() => EMPTY)),
      ),
    )
    .subscribe();

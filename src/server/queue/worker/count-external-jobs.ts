import type { Client } from '../../../client/client-types.js';
import * as E from '../../../core/protocol/either.js';
import { catchError, defer, EMPTY, exhaustMap, pairwise, startWith, type Subscription } from 'rxjs';
import { intervalOn } from '../../../core/platform/timer.js';
import { limitTokens } from '../jobs/slots.js';
import type { OpenQueue } from '../jobs/open-queue.js';

/** How often a worker reads the account's queue, in milliseconds. */
const defaultEveryMs = 5_000;
/** How long a count holds, also where the worker that made it is gone, in milliseconds. */
const keptMs = 30_000;
/** The service has this long to answer, in milliseconds. */
const requestTimeoutMs = 10_000;

/**
 * Counts the jobs of other programs that run on the account, and has as many fewer slot tokens begin.
 *
 * A job is another program's once two looks in a row show it without a record: one of ours has none between its submission and the
 * moment its answer is stored. While the service does not answer, the last count holds for a while.
 */
export const countExternalJobs = (
  { queueStore, slotTokens, clock }: Pick<OpenQueue, 'queueStore' | 'slotTokens' | 'clock'>,
  { rest }: { readonly rest: Pick<Client['rest'], 'queue'> },
  everyMs = defaultEveryMs,
): Subscription =>
  intervalOn(clock, everyMs)
    .pipe(
      startWith(undefined),
      exhaustMap(() =>
        defer(async () => {
          const answer = await rest.queue({ timeoutMs: requestTimeoutMs, workflow: false })();
          if (E.isLeft(answer)) throw answer.left;
          return queueStore.externalOf(answer.right.running.map(({ promptId }) => promptId));
        }).pipe(catchError(() => EMPTY)),
      ),
      pairwise(),
      exhaustMap(([before, now]) =>
        defer(async () => {
          await queueStore.setExternal(now.filter((id) => before.includes(id)).length, keptMs);
          await limitTokens({ queueStore, slotTokens });
        }).pipe(catchError(() => EMPTY)),
      ),
    )
    .subscribe();

import {
  catchError,
  concat,
  defer,
  EMPTY,
  exhaustMap,
  from,
  type Observable,
  Subject,
  type Subscription,
  switchMap,
  throttle,
} from 'rxjs';
import { endedAs } from '../../../core/state/ended-as.js';
import { deleteRecord } from './ephemeral.js';
import { followJob } from './follow-job.js';
import { giveBack, leaveEnded } from './end-job.js';
import { isServiceError } from '../../../core/errors/service-error.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { repeatCancel } from '../../joblog/repeat-cancel.js';
import { report, type RunContext, type ServedJob } from './run-context.js';
import { timerOn } from '../../../core/platform/timer.js';
import type { TokenEnd } from '../engine/run-tokens.js';

/** The newest preview of a job is published at most this often, in milliseconds. */
const previewEveryMs = 250;

/** Follows a job that the service has to its end, with its previews, and cancels it there when that is asked for. */
export const runAtService = async (job: ServedJob, promptId: string): Promise<TokenEnd> => {
  const { context, own } = job;
  const startedAt = context.clock.wall();
  if ((await follow(job, promptId)) !== 'ended') return 'requeue';
  const { phase } = own.state();
  const error = phase === 'cancelled' ? 'JobCancelled' : 'JobFailed';
  report(job, 'run', startedAt, { promptId, ...(phase !== 'completed' && { error }) });
  if (job.isEphemeral && phase !== 'untraceable') await deleteRecord(job, promptId);
  if (phase === 'completed') await context.deliver?.(job.held.id);
  return isTerminal(phase) ? leaveEnded(job, phase, undefined, promptId) : 'requeue';
};

/** Follows the job until its end, or until the worker stops, has lost it, or gets no answer of the service. */
const follow = async (job: ServedJob, promptId: string): Promise<'ended' | TokenEnd> => {
  const { held, context, own, service } = job;
  const cancels = new Subject<void>();
  const cancelling = cancels.pipe(switchMap(() => cancelledAt(context, promptId))).subscribe();
  const cancel = (): void => cancels.next();
  const stopListening = context.onCancel(held.id, cancel);
  const pictures = publishPreviews(job, promptId);
  try {
    if ((await context.store.get(held.id))?.cancelRequestedAt !== undefined) cancel();
    const states = service.states(promptId);
    const watched = context.atServer?.watch(states, promptId) ?? states;
    const followed = await followJob(watched, own, context.signal);
    return followed === 'ended' ? 'ended' : 'requeue';
  } catch (error) {
    if (!isServiceError(error)) throw error;
    if (error._tag !== 'NotFound') return await giveBack(job);
    if ((await context.atServer?.lost()) === true) return 'requeue';
    await own.move(endedAs({ ...own.state(), promptId }, 'untraceable'));
    return 'ended';
  } finally {
    stopListening();
    cancelling.unsubscribe();
    pictures.unsubscribe();
  }
};

/** Asks the service for the end of the job, at once and again until it is unsubscribed: with the end of the job. */
const cancelledAt = ({ client, clock }: RunContext, promptId: string): Observable<unknown> => {
  const ask = (): Promise<unknown> => client.cancel(promptId)();
  return concat(defer(ask), repeatCancel(clock, ask));
};

const publishPreviews = ({ held, context, service }: ServedJob, promptId: string): Subscription => {
  const { previews, clock } = context;
  return (
    service
      .previews(promptId)
      .pipe(
        throttle(() => timerOn(clock, previewEveryMs), { leading: true, trailing: true }),
        // While the store is unreachable, none waits for it.
        exhaustMap((preview) => from(previews.publish(held.id, preview)).pipe(catchError(() => EMPTY))),
      )
      // The states end with the same error.
      .subscribe({ error: () => undefined })
  );
};

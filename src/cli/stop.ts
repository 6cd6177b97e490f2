import { type Client, isTerminal, type JobStatus } from '../node.js';
import type { CliIo, StopSignal } from './cli-io.js';
import {
  concat,
  defer,
  filter,
  fromEvent,
  lastValueFrom,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  repeat,
  switchMap,
  take,
  takeUntil,
  timer,
} from 'rxjs';
import type { Reporter } from './report/cli-event.js';

/** Why a command ends early; each is a kind of end. */
export type StopReason = StopSignal | 'timeout' | 'pipe';

/** The result of {@link openStop}. */
export interface Stop {
  readonly signal: AbortSignal;
  /** Set once `signal` is aborted. */
  readonly reason: () => StopReason | undefined;
  /** Stops listening. */
  readonly close: () => void;
}

/** Listens for an early end of the command: a signal, `--timeout`, a broken pipe of standard output. */
export const openStop = (io: CliIo, timeoutMs?: number): Stop => {
  const controller = new AbortController();
  let reason: StopReason | undefined;
  const listening = merge(io.signals, timeout(io, timeoutMs), brokenPipe(io))
    .pipe(take(1))
    .subscribe({
      next: (stopReason) => {
        reason = stopReason;
        controller.abort();
      },
      error: () => controller.abort(),
    });
  return { signal: controller.signal, reason: () => reason, close: () => listening.unsubscribe() };
};

// Counted from the start of the process; timers hold 2^31-1 ms at most, which is 24 days.
const timeout = (io: CliIo, timeoutMs: number | undefined): Observable<StopReason> =>
  timeoutMs === undefined
    ? NEVER
    : timer(Math.min(2 ** 31 - 1, Math.max(0, timeoutMs - io.uptimeMs())), io.scheduler).pipe(
        map(() => 'timeout' as const),
      );

const brokenPipe = (io: CliIo): Observable<StopReason> =>
  fromEvent(io.stdout, 'error').pipe(map(() => 'pipe' as const));

/** The timeout of each of at most two requests: the user waits after Ctrl-C. */
const withinMs = 5_000;

/** How long a command waits for the end of a job that it cancelled, in milliseconds. */
const endWithinMs = 30_000;

/** What became of a cancellation: refused, asked for and not seen, or the phase that the job ended in. */
export type Cancellation = 'refused' | 'asked' | JobStatus['phase'];

/** Cancels one job and waits for its end, for at most 30 s; a signal ends the wait. */
export const cancelAndWait = (
  client: Client,
  promptId: string,
  { report, signals, scheduler }: Pick<Reporter, 'report'> & Pick<CliIo, 'signals' | 'scheduler'>,
): Promise<Cancellation> => {
  const phase = defer(() => client.rest.jobStatus(promptId, { timeoutMs: withinMs })()).pipe(
    repeat({ delay: (times) => timer(Math.min(2_000, 125 * 2 ** times), scheduler) }),
    map((status): Cancellation | undefined => {
      // A local server forgets a waiting job that it takes out of its queue.
      if (status._tag === 'Left') return status.left._tag === 'NotFound' ? 'cancelled' : undefined;
      return isTerminal(status.right.phase) ? status.right.phase : undefined;
    }),
    filter((ended) => ended !== undefined),
    take(1),
  );
  const steps = defer(() => cancelSubmittedJob(client, promptId, { report })).pipe(
    switchMap((accepted) =>
      accepted ? concat(of<Cancellation>('asked'), phase) : of<Cancellation>('refused'),
    ),
    takeUntil(merge(signals, timer(endWithinMs, scheduler))),
  );
  return lastValueFrom(steps, { defaultValue: 'asked' as const });
};

/** Requests the cancellation of one job; resolves with whether the service accepted it. */
const cancelSubmittedJob = async (
  client: Client,
  promptId: string,
  { report }: Pick<Reporter, 'report'>,
): Promise<boolean> => {
  report({ kind: 'cancelling', promptId });
  const answer = await client.cancel(promptId, { timeoutMs: withinMs })();
  if (answer._tag === 'Left') report({ kind: 'error', error: answer.left });
  else report({ kind: 'cancelRequested', promptId });
  return answer._tag === 'Right';
};

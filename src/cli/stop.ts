import type { Client } from '../node.js';
import type { CliIo, StopSignal } from './cli-io.js';
import { fromEvent, map, merge, NEVER, type Observable, take, timer } from 'rxjs';
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
    : timer(Math.min(2 ** 31 - 1, Math.max(0, timeoutMs - io.uptimeMs()))).pipe(
        map(() => 'timeout' as const),
      );

const brokenPipe = (io: CliIo): Observable<StopReason> =>
  fromEvent(io.stdout, 'error').pipe(map(() => 'pipe' as const));

/** The timeout of each of at most two requests: the user waits after Ctrl-C. */
const withinMs = 5_000;

/** Requests the cancellation of one job; resolves with whether the service accepted it. */
export const cancelSubmittedJob = async (
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

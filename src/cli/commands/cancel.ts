import {
  type Client,
  fromAbortSignal,
  isTerminal,
  type JobStatus,
  serviceError,
  type ServiceError,
} from '../../node.js';
import type { Command } from 'commander';
import type { CommonFlags, RunCommand, Session } from '../run-command.js';
import {
  defer,
  filter,
  firstValueFrom,
  map,
  merge,
  repeat,
  takeUntil,
  type SchedulerLike,
  timer,
} from 'rxjs';
import { clientOf } from './client-of-job.js';
import type { Either } from 'fp-ts/lib/Either.js';
import { withServers } from '../input/server-flags.js';
import { type ExitName, exitOfError } from '../exit-code.js';
import { withConnection } from './common-options.js';

/** Adds `promptwire cancel`. */
export const addCancel = (program: Command, runCommand: RunCommand): void => {
  withServers(withConnection(program.command('cancel')))
    .description('Cancel jobs by their ids, and say what became of each; no other job is touched.')
    .argument('<id...>', 'prompt ids of the jobs')
    .action((promptIds: readonly string[], flags: CommonFlags) =>
      runCommand(flags, async (session) => {
        const ends = await Promise.all(
          promptIds.map((promptId) => cancelOne(session, promptId, () => clientOf(session, flags, promptId))),
        );
        return ends.find((end) => end !== 'done') ?? 'done';
      }),
    );
};

const cancelOne = async (
  { report, stop, io }: Session,
  promptId: string,
  client: () => Promise<Either<ServiceError, Client>>,
): Promise<ExitName> => {
  const found = await client();
  const outcome: CancelOutcome =
    found._tag === 'Left'
      ? { _tag: 'failed', error: found.left }
      : await cancelAndConfirm(found.right, promptId, { signal: stop, scheduler: io.scheduler });
  if (stop.aborted) throw new Error('the command was stopped while it cancelled');
  switch (outcome._tag) {
    case 'cancelled':
      report({ kind: 'cancelled', promptId });
      return 'done';
    case 'over':
      report({ kind: 'over', promptId, phase: outcome.phase });
      return 'over';
    case 'failed':
      report({ kind: 'error', error: outcome.error });
      return exitOfError(outcome.error, 'call');
  }
};

/** The outcome of cancelling one job. */
export type CancelOutcome =
  | { readonly _tag: 'cancelled' }
  /** The job had ended before, or ended by itself. */
  | { readonly _tag: 'over'; readonly phase: JobStatus['phase'] }
  | { readonly _tag: 'failed'; readonly error: ServiceError };

/** Options of {@link cancelAndConfirm}. */
export interface CancelAndConfirmOptions {
  readonly signal: AbortSignal;
  /** The clock of its waits. */
  readonly scheduler: SchedulerLike;
  /** How long the job may take to end after the accepted request, in milliseconds; default 10 s. */
  readonly withinMs?: number;
}

/**
 * Cancels one job and reads its status until it has ended.
 *
 * The request is sent unless the status says that the job is over: a service that does not list a job yet may still run it.
 * It is repeated while the job runs, and names this job only.
 */
export const cancelAndConfirm = async (
  { cancel, rest }: Pick<Client, 'cancel' | 'rest'>,
  promptId: string,
  { signal, scheduler, withinMs = 10_000 }: CancelAndConfirmOptions,
): Promise<CancelOutcome> => {
  const readStatus = rest.jobStatus(promptId, { signal });
  const before = await readStatus();
  if (before._tag === 'Right' && isTerminal(before.right.phase)) {
    return { _tag: 'over', phase: before.right.phase };
  }
  const asked = await cancel(promptId, { signal })();
  if (asked._tag === 'Left') return { _tag: 'failed', error: asked.left };

  const readAndRepeat = async (): ReturnType<typeof readStatus> => {
    const seen = await readStatus();
    // A local server loses the request between taking a job out of its queue and starting it.
    if (seen._tag === 'Right' && !isTerminal(seen.right.phase)) await cancel(promptId, { signal })();
    return seen;
  };
  const statuses = defer(readAndRepeat).pipe(
    repeat({ delay: (count) => timer(Math.min(2_000, 125 * 2 ** count), scheduler) }),
    map((seen) => {
      if (seen._tag === 'Right') return isTerminal(seen.right.phase) ? endedAs(seen.right) : undefined;
      if (seen.left._tag !== 'NotFound') return undefined;
      // A local server forgets a waiting job that it takes out of its queue.
      return before._tag === 'Right' ? cancelled : ({ _tag: 'failed', error: seen.left } as const);
    }),
    filter((outcome) => outcome !== undefined),
    takeUntil(merge(timer(withinMs, scheduler), fromAbortSignal(signal))),
  );
  return firstValueFrom(statuses, { defaultValue: { _tag: 'failed', error: notApplied(promptId) } });
};

const cancelled: CancelOutcome = { _tag: 'cancelled' };

const endedAs = ({ phase }: JobStatus): CancelOutcome =>
  phase === 'cancelled' ? cancelled : { _tag: 'over', phase };

const notApplied = (promptId: string): ServiceError =>
  serviceError('CancelNotApplied', {
    message: 'The service took the request, but the job has not ended yet.',
    promptId,
    phase: 'in_progress',
  });

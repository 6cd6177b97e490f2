import type { AskedOfRun } from './submit-and-watch.js';
import type { Client, JobState, Workflow } from '../../node.js';
import { concatMap, filter, from, lastValueFrom, takeUntil, tap } from 'rxjs';
import { type ExitName, exitOfJob } from '../exit-code.js';
import { finishJob } from './finish-job.js';
import { fromAbortSignal, isTerminal } from '../../node.js';
import type { Pool, PoolJobState } from '../../pool.js';
import type { SavingFlags } from './common-options.js';
import { saveImages } from './streamed-pictures.js';
import type { Session } from '../run-command.js';

/** A workflow of a command that runs many. */
export interface NamedWorkflow {
  /** The file that it came from, as messages name it. */
  readonly name: string;
  readonly workflow: Workflow;
}

/** Options of {@link runMany}. */
export interface RunManyOptions extends SavingFlags {
  readonly asked: AskedOfRun;
  /** What the end of the command does to jobs that run. */
  readonly onInterrupt?: 'detach' | 'cancel' | undefined;
}

/** What runs many workflows: one service, or a pool of servers. */
export type Runner =
  { readonly _tag: 'service'; readonly client: Client } | { readonly _tag: 'servers'; readonly pool: Pool };

/**
 * Runs workflows, as many at once as the servers take, and saves the files of each once it is over; the jobs go on where one of them fails.
 * The end is that of the first file whose job did not complete.
 */
export const runMany = async (
  session: Session,
  runner: Runner,
  workflows: readonly NamedWorkflow[],
  { asked, onInterrupt, ...saving }: RunManyOptions,
): Promise<ExitName> => {
  const { report, stop } = session;
  const ends = new Map<number, ExitName>();
  const options = { ...asked, ...(onInterrupt === 'cancel' && { onUnsubscribe: onInterrupt }) };
  const all = workflows.map(({ workflow }) => workflow);
  const states =
    runner._tag === 'service'
      ? runner.client.runAll(all, { ...options, concurrency: jobsOfOneService })
      : runner.pool.runAll(all, options);
  const clientOf = ({ server }: Partial<PoolJobState>): Client | undefined =>
    runner._tag === 'service' ? runner.client : server === undefined ? undefined : runner.pool.client(server);
  // Files are saved one job after the other: their stages are not that of the command.
  const ofOne: Session = { ...session, enterStage: () => undefined };
  const finish = async (index: number, state: JobState & Partial<PoolJobState>): Promise<void> => {
    const client = clientOf(state);
    const { workflow } = workflows[index] ?? {};
    try {
      const streamed = await saveImages(ofOne, state, { ...saving, workflow });
      const job = { ...state, workflow, streamed };
      ends.set(index, client === undefined ? exitOfJob(state) : await finishJob(ofOne, client, job, saving));
    } catch (error) {
      if (stop.aborted || !(error instanceof Error)) throw error;
      report({ kind: 'error', error });
      ends.set(index, 'download');
    }
  };

  session.enterStage('watch');
  const running = states.pipe(
    tap(({ index, state }) =>
      report({ kind: 'batch', file: workflows[index]?.name ?? '', index, of: all.length, state }),
    ),
    filter(({ state }) => isTerminal(state.phase)),
    concatMap(({ index, state }) => from(finish(index, state))),
    takeUntil(fromAbortSignal(stop)),
  );
  await lastValueFrom(running, { defaultValue: undefined });
  if (stop.aborted) throw new Error('the command was stopped while jobs ran');
  session.enterStage('ended');
  return all.map((_, index) => ends.get(index) ?? 'unexpected').find((end) => end !== 'done') ?? 'done';
};

/** How many jobs wait at one service, which has a queue of its own. */
const jobsOfOneService = 8;

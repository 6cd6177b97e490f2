import { type Client, forPrompt, type JobState, readApiWorkflow, type Workflow } from '../../node.js';
import type { Command } from 'commander';
import type { CommonFlags, RunCommand, Session } from '../run-command.js';
import { connect, ignoreElements, merge, type Observable, takeUntil, tap, timer } from 'rxjs';
import type { ExitName } from '../exit-code.js';
import { clientOfJob } from './client-of-job.js';
import { finishJob } from './finish-job.js';
import { nodeTitles, workflowOfRecord } from './ended-job.js';
import { saveOptions } from './save-outputs.js';
import { type SavingFlags, withConnection, withWatching } from './common-options.js';
import { withServers } from '../input/server-flags.js';
import { streamedPictures } from './streamed-pictures.js';
import { watchJob } from './watch-job.js';

interface FollowFlags extends CommonFlags, SavingFlags {}

/** Adds `promptwire follow`. */
export const addFollow = (program: Command, runCommand: RunCommand): void => {
  withServers(withConnection(withWatching(program.command('follow'))))
    .description('Watch a job that was submitted before, and save its files.')
    .argument('<id>', 'prompt id of the job')
    .action((promptId: string, flags: FollowFlags) =>
      runCommand(flags, async (session) =>
        followAndFinish(session, await clientOfJob(session, flags, promptId), {
          promptId,
          ...saveOptions(flags),
        }),
      ),
    );
};

/** Options of {@link followAndFinish}. */
export interface FollowOptions extends SavingFlags {
  readonly promptId: string;
  /** Whether the service is known to have the job. */
  readonly isKnown?: boolean;
  /** The workflow, where it is known; otherwise it comes from the queue and the job's record. */
  readonly workflow?: Workflow;
}

/** Watches a job that was submitted before to its end, and saves its files. */
export const followAndFinish = async (
  session: Session,
  client: Client,
  { promptId, workflow, isKnown = false, ...options }: FollowOptions,
): Promise<ExitName> => {
  const states = warnIfUnknown(session, promptId, client.follow(promptId, { signal: session.stop }));
  const frames = client.frames.pipe(forPrompt(promptId));
  const findWorkflow = async (): Promise<Workflow | undefined> =>
    workflow ??
    (await listedWorkflow(session, client, promptId)) ??
    (await workflowOf(session, client, promptId));
  const pictures = streamedPictures(session, { promptId, findWorkflow, ...options });
  const job = {
    client,
    promptId,
    isKnown,
    states,
    frames,
    titles: nodeTitles(workflow),
    onPreview: pictures.next,
  };
  const last = await watchJob(session, job).finally(pictures.settled);
  const known = workflow ?? (await workflowOf(session, client, promptId));
  const counts = await pictures.settled();
  // The job may have sent pictures before this command subscribed.
  const streamed = counts.size === 0 ? {} : { streamed: counts };
  return finishJob(session, client, { ...last, workflow: known, ...streamed }, options);
};

// Titles are optional: without a record the command shows node ids.
const workflowOf = async (
  { stop }: Session,
  { rest }: Client,
  promptId: string,
): Promise<Workflow | undefined> => {
  const history = await rest.history(promptId, { signal: stop, timeoutMs: 5_000 })();
  return history._tag === 'Right' ? workflowOfRecord(history.right) : undefined;
};

/** The workflow of a running job: the queue lists it, whereas the record may not exist before the end. */
const listedWorkflow = async (
  { stop }: Session,
  { rest }: Client,
  promptId: string,
): Promise<Workflow | undefined> => {
  const queue = await rest.queue({ signal: stop, timeoutMs: 5_000, workflow: false })();
  if (queue._tag === 'Left') return undefined;
  const item = queue.right.running.find((running) => running.promptId === promptId);
  const workflow = readApiWorkflow(item?.workflow);
  return workflow._tag === 'Right' ? workflow.right : undefined;
};

/** The time before a warning that the service does not list the job yet. */
const quietMs = 3_000;

/** Warns where the service has not answered about the job in time. */
const warnIfUnknown = (
  { report, io }: Session,
  promptId: string,
  states: Observable<JobState>,
): Observable<JobState> =>
  states.pipe(
    connect((shared) =>
      merge(
        shared,
        timer(quietMs, io.scheduler).pipe(
          tap(() =>
            report({
              kind: 'warning',
              message: `The service does not know ${promptId} yet: asking again.`,
            }),
          ),
          ignoreElements(),
          takeUntil(shared),
        ),
      ),
    ),
  );

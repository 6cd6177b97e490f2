import type { Client, Problem, SubmitRequests, Workflow } from '../../node.js';
import type { CliEvent } from '../report/cli-event.js';
import { ephemeralWorkflow } from '../../workflow.js';
import type { ExitName } from '../exit-code.js';
import { finishJob } from './finish-job.js';
import { nodeTitles } from './ended-job.js';
import { firstValueFrom, map } from 'rxjs';
import { type KeyedSubmission, submitOnce } from '../job-key/once.js';
import { reportConnection, watchJob } from './watch-job.js';
import type { SavingFlags } from './common-options.js';
import type { Session } from '../run-command.js';
import { streamedPictures } from './streamed-pictures.js';

/** What `promptwire run` asks of a submission. */
export interface AskedOfRun extends SubmitRequests {
  readonly ephemeral?: boolean | undefined;
}

/** The workflow whose nodes a job's events name: an ephemeral one has other classes than the file. */
export const workflowOfRun = (workflow: Workflow, { ephemeral = false }: AskedOfRun = {}): Workflow =>
  ephemeral ? ephemeralWorkflow(workflow).workflow : workflow;

/** Options of {@link submitAndWatch}. */
export interface SubmitAndWatchOptions extends SavingFlags {
  /** The submission of the job key, where there is one. */
  readonly once?: KeyedSubmission | undefined;
  /** What the submission asks for besides the run. */
  readonly asked?: AskedOfRun;
}

/** Submits a workflow, watches the job to its end, and saves its files. */
export const submitAndWatch = async (
  session: Session,
  client: Client,
  given: Workflow,
  { once, asked, ...options }: SubmitAndWatchOptions,
): Promise<ExitName> => {
  const workflow = workflowOfRun(given, asked);
  const submission = client.submit(workflow, { ...asked, signal: session.stop });
  const reporting = reportConnection({ client }, session).subscribe({ error: () => undefined });
  const { promptId, problems, states, frames } = await submitOnce(session, submission, once).finally(() =>
    reporting.unsubscribe(),
  );
  const nodeErrors = await firstValueFrom(states.pipe(map((state) => state.nodeErrors)), {
    defaultValue: {},
  });
  reportSubmission(session, { promptId, nodeErrors, problems, detached: false });
  const findWorkflow = (): Promise<Workflow> => Promise.resolve(workflow);
  const pictures = streamedPictures(session, { promptId, findWorkflow, ...options });
  const job = { client, promptId, states, frames, titles: nodeTitles(workflow), onPreview: pictures.next };
  const last = await watchJob(session, job).finally(pictures.settled);
  return finishJob(session, client, { ...last, workflow, streamed: await pictures.settled() }, options);
};

/** Reports an accepted submission, and warns of each branch that the service dropped and of each integer that may have been rounded. */
export const reportSubmission = (
  { report }: Session,
  {
    problems = [],
    ...submission
  }: Pick<
    Extract<CliEvent, { kind: 'submitted' }>,
    'promptId' | 'recorded' | 'number' | 'nodeErrors' | 'detached'
  > & { readonly problems?: readonly Problem[] | undefined },
): void => {
  report({ kind: 'submitted', ...submission });
  for (const problem of problems) report({ kind: 'problem', problem });
  for (const [nodeId, { classType, errors }] of Object.entries(submission.nodeErrors)) {
    const reasons = errors.map(({ message, details }) => `${message} ${details}`.trim()).join('; ');
    report({ kind: 'warning', message: `node ${nodeId} (${classType}) was left out: ${reasons}` });
  }
};

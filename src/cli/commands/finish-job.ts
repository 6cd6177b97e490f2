import type { Client, JobState } from '../../node.js';
import type { ExitName } from '../exit-code.js';
import { exitOfJob } from '../exit-of-job.js';
import type { Session } from '../session.js';
import { incompleteRecord } from './incomplete-record.js';
import { saveOutputs } from './save-outputs.js';

/** What {@link finishJob} takes. */
export interface FinishJobOptions {
  readonly out: string;
  readonly overwrite?: boolean;
}

/** Does what follows a job's end: the outputs of a completed one are saved, the reason of a failed one is told. */
export const finishJob = async (
  session: Session,
  client: Client,
  state: JobState,
  options: FinishJobOptions,
): Promise<ExitName> => {
  const { promptId, outputs, failure } = state;
  session.reached('ended', promptId);
  if (failure !== undefined) session.report({ kind: 'failure', promptId, failure });
  const exit = exitOfJob(state);
  if (exit === 'incomplete') session.report({ kind: 'warning', message: incompleteRecord });
  if (state.phase === 'completed') await saveOutputs(session, client, { promptId, outputs, ...options });
  return exit;
};

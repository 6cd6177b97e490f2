import type { Client, JobState } from '../../node.js';
import type { ExitName } from '../exit-code.js';
import { exitOfJob } from '../exit-of-job.js';
import type { Session } from '../session.js';
import { incompleteRecord } from './incomplete-record.js';
import { saveOutputs, type SaveOptions } from './save-outputs.js';

/** What {@link finishJob} needs of a job that is over; a `JobState` is one. */
export interface EndedJob extends Pick<JobState, 'promptId' | 'phase' | 'outputs' | 'outputsComplete'> {
  readonly failure?: JobState['failure'] | undefined;
  /** Node id → the node of the submitted workflow that it belongs to. */
  readonly nodes: Readonly<Record<string, { readonly displayNodeId: string }>>;
}

/** Does what follows a job's end: reports why it failed, and saves the files that it made, completed or not. */
export const finishJob = async (
  session: Session,
  client: Client,
  job: EndedJob,
  options: SaveOptions,
): Promise<ExitName> => {
  const { promptId, failure } = job;
  session.reached('ended', promptId);
  if (failure !== undefined) session.report({ kind: 'failure', promptId, failure });
  const exit = exitOfJob(job);
  if (exit === 'incomplete') session.report({ kind: 'warning', message: incompleteRecord });
  try {
    await saveOutputs(session, client, job, options);
    session.reached('ended');
  } catch (error) {
    // How the job ended outweighs a file that could not be saved.
    if (session.stop.aborted || job.phase === 'completed' || !(error instanceof Error)) throw error;
    session.report({ kind: 'error', error });
  }
  return exit;
};

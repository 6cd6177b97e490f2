import type { Client } from '../../node.js';
import type { ExitName } from '../exit-code.js';
import { exitOfJob } from '../exit-of-job.js';
import type { Session } from '../session.js';
import type { SavingFlags } from './common-options.js';
import type { EndedJob } from './ended-job.js';
import { incompleteRecord } from './incomplete-record.js';
import { lostPictures } from './lost-pictures.js';
import { saveOutputs } from './save-outputs.js';

/** Does what follows a job's end: reports why it failed, and saves the files that it made, completed or not. */
export const finishJob = async (
  session: Session,
  client: Client,
  job: EndedJob,
  options: SavingFlags,
): Promise<ExitName> => {
  const { promptId, failure } = job;
  session.reached('ended', promptId);
  if (failure !== undefined) session.report({ kind: 'failure', promptId, failure });
  const ended = exitOfJob(job);
  if (ended === 'incomplete') session.report({ kind: 'warning', message: incompleteRecord });
  const lost = job.phase === 'completed' ? lostPictures(job) : [];
  for (const message of lost) session.report({ kind: 'warning', message });
  const exit = ended === 'done' && job.streamed !== undefined && lost.length > 0 ? 'incomplete' : ended;
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

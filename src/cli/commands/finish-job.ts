import type { Client, JobState } from '../../node.js';
import { count } from '../terminal/format.js';
import { type EndedJob, nodeTitles } from './ended-job.js';
import { type ExitName, exitOfJob } from '../exit-code.js';
import { saveOutputs } from './save-outputs.js';
import type { SavingFlags } from './common-options.js';
import type { Session } from '../run-command.js';
import { streamingNodes } from './streamed-pictures.js';

/** Handles the end of a job: reports its failure, and saves its files, completed or not. */
export const finishJob = async (
  session: Session,
  client: Client,
  job: EndedJob,
  options: SavingFlags,
): Promise<ExitName> => {
  const { promptId, failure } = job;
  session.enterStage('ended', promptId);
  if (failure !== undefined) session.report({ kind: 'failure', promptId, failure });
  const ended = exitOfJob(job);
  const lost = job.phase === 'completed' ? lostPictures(job) : [];
  if (ended === 'incomplete' && lost.length === 0)
    session.report({ kind: 'warning', message: incompleteRecord });
  for (const message of lost) session.report({ kind: 'warning', message });
  const exit = ended === 'done' && job.streamed !== undefined && lost.length > 0 ? 'incomplete' : ended;
  try {
    await saveOutputs(session, client, job, options);
    session.enterStage('ended');
  } catch (error) {
    // The job's end determines the exit code, not a file that could not be saved.
    if (session.stop.aborted || job.phase === 'completed' || !(error instanceof Error)) throw error;
    session.report({ kind: 'error', error });
  }
  return exit;
};

/** A warning for each streaming node with the number of pictures that were not saved. */
const lostPictures = ({ workflow = {}, nodes, streamed }: EndedJob): readonly string[] =>
  streamingNodes(workflow).flatMap((nodeId) => {
    const got = streamed?.get(nodeId) ?? 0;
    const wanted = Math.max(1, stepsOf(nodes, nodeId));
    const title = nodeTitles(workflow).get(nodeId) ?? nodeId;
    if (got >= wanted) return [];
    const missing = `${wanted - got} of ${count(wanted, 'picture')} of node ${nodeId} (${title})`;
    return [`${missing} ${wanted - got === 1 ? 'is' : 'are'} not here: ${why}`];
  });

const why = 'they are sent over the connection while the job runs, and the service keeps none';

/** A streaming node takes one step for each picture. */
const stepsOf = (nodes: EndedJob['nodes'], nodeId: string): number => {
  const node: Partial<JobState['nodes'][string]> | undefined = Object.hasOwn(nodes, nodeId)
    ? nodes[nodeId]
    : undefined;
  return node?.max ?? 0;
};

/** The warning for a record that may lack files. */
const incompleteRecord = 'the record of the job is not complete: files may be missing';

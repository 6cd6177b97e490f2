import { firstValueFrom, map } from 'rxjs';
import type { Client, Workflow } from '../../node.js';
import type { ExitName } from '../exit-code.js';
import { orThrow } from '../or-throw.js';
import type { Session } from '../session.js';
import { finishJob, type FinishJobOptions } from './finish-job.js';
import { nodeTitles } from './node-titles.js';
import { reportSubmission } from './report-submission.js';
import { watchJob } from './watch-job.js';

/** Takes a workflow along the whole straight line: submitted, watched to its end, its files saved. */
export const submitAndWatch = async (
  session: Session,
  client: Client,
  workflow: Workflow,
  options: FinishJobOptions,
): Promise<ExitName> => {
  session.reached('submit');
  const { promptId, states, frames } = orThrow(await client.submit(workflow, { signal: session.stop })());
  session.reached('watch', promptId);
  const nodeErrors = await firstValueFrom(states.pipe(map((state) => state.nodeErrors)), {
    defaultValue: {},
  });
  reportSubmission(session, { promptId, nodeErrors, detached: false });
  const last = await watchJob(session, { promptId, states, frames, titles: nodeTitles(workflow) });
  return finishJob(session, client, last, options);
};

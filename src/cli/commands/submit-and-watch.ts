import { firstValueFrom, map } from 'rxjs';
import type { Client, Workflow } from '../../node.js';
import type { ExitName } from '../exit-code.js';
import type { Once } from '../job-key/once.js';
import { submitOnce } from '../job-key/submit-once.js';
import type { Session } from '../session.js';
import type { SavingFlags } from './common-options.js';
import { finishJob } from './finish-job.js';
import { nodeTitles } from './node-titles.js';
import { reportSubmission } from './report-submission.js';
import { streamedPictures } from './streamed-pictures.js';
import { reportConnection, watchJob } from './watch-job.js';

/** What {@link submitAndWatch} takes. */
export interface SubmitAndWatchOptions extends SavingFlags {
  /** Of the job key, where there is one. */
  readonly once?: Once | undefined;
}

/** Takes a workflow along the whole straight line: submitted, watched to its end, its files saved. */
export const submitAndWatch = async (
  session: Session,
  client: Client,
  workflow: Workflow,
  { once, ...options }: SubmitAndWatchOptions,
): Promise<ExitName> => {
  const submission = client.submit(workflow, { signal: session.stop });
  const reporting = reportConnection({ client }, session).subscribe({ error: () => undefined });
  const { promptId, states, frames } = await submitOnce(session, submission, once).finally(() =>
    reporting.unsubscribe(),
  );
  const nodeErrors = await firstValueFrom(states.pipe(map((state) => state.nodeErrors)), {
    defaultValue: {},
  });
  reportSubmission(session, { promptId, nodeErrors, detached: false });
  const pictures = streamedPictures(session, { promptId, workflow }, options);
  const job = { client, promptId, states, frames, titles: nodeTitles(workflow), onPreview: pictures.next };
  const last = await watchJob(session, job).finally(pictures.settled);
  return finishJob(session, client, { ...last, workflow, streamed: await pictures.settled() }, options);
};

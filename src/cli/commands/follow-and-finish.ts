import { type Client, forPrompt } from '../../node.js';
import type { ExitName } from '../exit-code.js';
import type { Titles } from '../report/cli-event.js';
import type { Session } from '../session.js';
import { finishJob, type FinishJobOptions } from './finish-job.js';
import { watchJob } from './watch-job.js';

/** What {@link followAndFinish} takes. */
export interface FollowOptions extends FinishJobOptions {
  readonly promptId: string;
  /** Empty where the workflow is not at hand. */
  readonly titles: Titles;
}

/** Watches a job that was submitted before to its end, and saves its files. */
export const followAndFinish = async (
  session: Session,
  client: Client,
  { promptId, titles, ...options }: FollowOptions,
): Promise<ExitName> => {
  const states = client.follow(promptId, { signal: session.stop });
  const frames = client.frames.pipe(forPrompt(promptId));
  const last = await watchJob(session, { promptId, states, frames, titles });
  return finishJob(session, client, last, options);
};

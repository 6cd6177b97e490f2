import { answerOf } from './fetch-status.js';
import * as E from '../../core/protocol/either.js';
import type { JobDetail } from '../../core/endpoints/job-detail.js';
import type { JobRest } from '../../core/http/rest.js';

/** After so many answers in a row without a job, or so many unknown jobs, something else stands under that address. */
const maxOdd = 3;

/** Options of a question to the jobs API. */
export interface AskOptions {
  /** Whether the service knows the job otherwise, so that a 404 speaks of the route; default true. */
  readonly isKnown?: boolean;
}

/** The jobs API as far as the service has one. */
export interface JobDetails {
  /** False while the service is known to have none: nothing is asked then. */
  readonly isThere: () => boolean;
  /** Whether it has answered for a job. */
  readonly isKnown: () => boolean;
  /** Never rejects; `none` where the service has no jobs API, `unknown` where it gave no answer this time. */
  readonly ask: (promptId: string, options?: AskOptions) => Promise<JobDetail | 'none' | 'unknown'>;
}

/**
 * Asks the jobs API about jobs that the service knows otherwise; if it has no such job, that is remembered with what other calls have shown of it.
 *
 * A first 404 is enough for that, as the job itself is known, and so are several pages of something else. A jobs API that has
 * known a job may not know another one for a while: it is gone once it knows none of several jobs in a row. Until the first
 * answer only one question is under way, so that any number of jobs ask a server without a jobs API once.
 */
export const jobDetails = ({
  jobDetail,
  jobsApi: jobs,
}: Pick<JobRest, 'jobDetail' | 'jobsApi'>): JobDetails => {
  let odd = 0;
  const unknown = new Set<string>();
  const isThere = (): boolean => !jobs.isAbsent('job');
  const none = (): 'none' => {
    odd = 0;
    unknown.clear();
    if (isThere()) jobs.note('job', 'absent');
    return 'none';
  };

  const ask = async (promptId: string, isKnownJob: boolean): Promise<JobDetail | 'none' | 'unknown'> => {
    const answer = await jobDetail(promptId, { workflow: false })();
    if (E.isRight(answer)) {
      jobs.note('job', 'there');
      odd = 0;
      unknown.clear();
      return answer.right;
    }
    const { kind } = answerOf(answer.left);
    odd = kind === 'odd' ? odd + 1 : 0;
    if (kind === 'missing' && isKnownJob) unknown.add(promptId);
    const isGone = !isThere() || unknown.size >= (jobs.isThere('job') ? maxOdd : 1);
    return isGone || odd >= maxOdd ? none() : 'unknown';
  };

  return {
    isThere,
    isKnown: () => jobs.isThere('job'),
    ask: async (promptId, { isKnown = true } = {}) => {
      const isFirst = await jobs.first('job');
      if (!isThere()) return 'none';
      return ask(promptId, isKnown).finally(() => {
        if (isFirst) jobs.asked('job');
      });
    },
  };
};

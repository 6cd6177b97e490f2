import { answerOf } from './fetch-status.js';
import type { Clock } from '../../core/platform/platform.js';
import * as E from '../../core/protocol/either.js';
import type { JobDetail } from '../../core/endpoints/job-detail.js';
import type { Rest } from '../../core/http/rest.js';

/** A service that has no jobs API is asked for it again after so long. */
const againMs = 600_000;
/** After so many answers in a row without a job, or so many unknown jobs, something else stands under that address. */
const mostOdd = 3;

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
 * Asks the jobs API about jobs that the service knows otherwise, and remembers where there is none.
 *
 * A first 404 is enough for that, as the job itself is known, and so are several pages of something else. A jobs API that has
 * known a job may not know another one for a while: it is gone once it knows none of several jobs in a row. Until the first
 * answer only one question is under way, so that any number of jobs ask a server without a jobs API once.
 */
export const jobDetails = (rest: Pick<Rest, 'job'>, clock: Clock): JobDetails => {
  let absentUntil = -Infinity;
  let isKnown = false;
  let odd = 0;
  const unknown = new Set<string>();
  let probe: Promise<unknown> | undefined;
  const isThere = (): boolean => clock.now() >= absentUntil;

  const ask = async (
    promptId: string,
    { isKnown: isKnownJob = true }: AskOptions = {},
  ): Promise<JobDetail | 'none' | 'unknown'> => {
    const answer = await rest.job(promptId, { workflow: false })();
    if (E.isRight(answer)) {
      isKnown = true;
      odd = 0;
      unknown.clear();
      return answer.right;
    }
    const { kind } = answerOf(answer.left);
    odd = kind === 'odd' ? odd + 1 : 0;
    if (kind === 'missing' && isKnownJob) unknown.add(promptId);
    const isGone = unknown.size >= (isKnown ? mostOdd : 1);
    if (!isGone && odd < mostOdd) return 'unknown';
    isKnown = false;
    odd = 0;
    unknown.clear();
    absentUntil = clock.now() + againMs;
    return 'none';
  };

  return {
    isThere,
    isKnown: () => isKnown,
    ask: async (promptId, options) => {
      while (probe !== undefined) await probe;
      if (!isThere()) return 'none';
      if (isKnown) return ask(promptId, options);
      const asked = ask(promptId, options);
      probe = asked.finally(() => (probe = undefined));
      return asked;
    },
  };
};

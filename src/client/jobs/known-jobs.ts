import type { Clock } from '../../core/platform/platform.js';
import { isRight } from '../../core/protocol/either.js';
import type { JobGuarantees } from '../dialects/dialect.js';
import type { JobRest } from '../../core/http/rest.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** Enough for a job that has ended to be among them while many others wait. */
const maxIds = 64;
const maxOthers = 3;
const maxWitnesses = 8;

/** Jobs that the service is known to have known. */
export interface KnownJobs {
  readonly add: (promptId: string) => void;
  /** The latest ones, without this job. */
  readonly others: (promptId: string) => readonly string[];
  /** The latest of those that were known by this time of the monotonic clock, without this job. */
  readonly witnesses: (promptId: string, knownBy: number) => readonly string[];
}

/**
 * Remembers a few jobs that the service knew. Whether it still knows them distinguishes a lost job from lost routes, and a job
 * that was taken out of a local queue from a server that restarted.
 */
export const knownJobs = (clock: Pick<Clock, 'now'>): KnownJobs => {
  /** When each of them was first known; the latest answered for comes last. */
  const since = new Map<string, number>();
  const latest = (promptId: string, count: number, knownBy = Infinity): readonly string[] =>
    [...since].flatMap(([id, at]) => (id !== promptId && at <= knownBy ? [id] : [])).slice(-count);
  return {
    add: (promptId) => {
      const at = since.get(promptId) ?? clock.now();
      since.delete(promptId);
      since.set(promptId, at);
      const [oldest] = since.keys();
      if (since.size > maxIds && oldest !== undefined) since.delete(oldest);
    },
    others: (promptId) => latest(promptId, maxOthers),
    witnesses: (promptId, knownBy) => latest(promptId, maxWitnesses, knownBy),
  };
};

/**
 * The same calls; each job that status, history or the jobs API answers for is noted as known.
 *
 * With `knownOnceSubmitted` an accepted submission is noted as well.
 */
export const notingRest = (
  rest: JobRest,
  known: KnownJobs,
  { knownOnceSubmitted }: Pick<JobGuarantees, 'knownOnceSubmitted'>,
): JobRest => {
  const noting =
    <A>(promptId: string, ask: TaskEither<ServiceError, A>): TaskEither<ServiceError, A> =>
    () =>
      ask().then((answer) => {
        if (isRight(answer)) known.add(promptId);
        return answer;
      });
  const submit: JobRest['submit'] = (workflow, options) => async () => {
    const answer = await rest.submit(workflow, options)();
    if (isRight(answer)) known.add(answer.right.promptId);
    return answer;
  };
  const jobDetail: JobRest['jobDetail'] = (promptId, options) =>
    noting(promptId, rest.jobDetail(promptId, options));
  return {
    ...rest,
    ...(knownOnceSubmitted && { submit }),
    jobStatus: (promptId, options) => noting(promptId, rest.jobStatus(promptId, options)),
    jobDetail,
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- public for one more minor version
    job: jobDetail,
    history: (promptId, options) => noting(promptId, rest.history(promptId, options)),
  };
};

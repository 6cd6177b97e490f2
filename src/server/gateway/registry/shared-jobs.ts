import { answerWithin } from '../../../core/platform/answer-within.js';
import type { JobEntry } from './job-entry.js';
import type { JobRegistry } from './job-registry.js';
import type { Clock } from '../../../core/platform/platform.js';
import { defer, EMPTY, mergeMap, retry, type Subscription } from 'rxjs';
import type { EventLog } from '../../joblog/event-log.js';
import type { JobIndex } from '../../joblog/job-index.js';
import { timerOn } from '../../../core/platform/timer.js';

/** Keeps a registry in step with what other processes do to the jobs of the same index and log; without others, it does nothing. */
export interface SharedJobs {
  /** Reads the jobs of an owner that is not known yet; called before a new job is added, so that the new record is not among them. */
  readonly begin: (owner: string) => Promise<void>;
  /** Takes what happened to the jobs of an owner; where log and index do not answer, the registry stays as it was. */
  readonly sync: (owner: string) => Promise<void>;
  /** Gives those of the jobs that the index still has, and forgets the others. */
  readonly kept: (jobs: readonly JobEntry[]) => Promise<readonly JobEntry[]>;
  /** Takes what other processes write, as soon as they write it. */
  readonly listen: () => Subscription;
}

/** How long a question waits for index and log: beyond it the answer is what was known last. */
const requestTimeoutMs = 1_000;

/** How long to wait before a log is read again that did not answer. */
const retryDelayMs = 1_000;

/** Makes the {@link SharedJobs} of a registry. */
export const sharedJobs = (
  registry: JobRegistry,
  index: JobIndex,
  { changes }: EventLog,
  clock: Clock,
): SharedJobs => {
  const inTime = <Answer>(ask: () => Promise<Answer>, otherwise: Answer): Promise<Answer> =>
    answerWithin(clock, requestTimeoutMs, ask, otherwise);
  const has = index.has ?? (async (id: string): Promise<boolean> => (await index.get(id)) !== undefined);
  return {
    begin: async (owner) => {
      if (changes === undefined || registry.position(owner) !== undefined) return;
      await inTime(() => registry.ready(owner), undefined);
    },
    sync: async (owner) => {
      if (changes !== undefined) await inTime(() => registry.sync(owner), undefined);
    },
    kept: async (jobs) => {
      if (changes === undefined) return jobs;
      const areKept = await Promise.all(jobs.map(({ record }) => inTime(() => has(record.id), true)));
      return jobs.filter(({ record }, place) => {
        const isKept = areKept[place] === true;
        if (!isKept) registry.forget(record);
        return isKept;
      });
    },
    listen: () =>
      (changes ?? EMPTY)
        .pipe(
          mergeMap((owner) =>
            defer(() => registry.sync(owner)).pipe(
              retry({ delay: () => timerOn(clock, retryDelayMs, { background: true }) }),
            ),
          ),
        )
        .subscribe({ error: () => undefined }),
  };
};

import type { Answer } from '../http/answer.js';
import type { EmulatorClock } from '../clock.js';
import type { JobFault } from '../fault.js';
import { parsePython, stringifyExact } from '../exact-json.js';
import { isRoute } from './exchange-plan.js';
import type { FaultInjector } from './fault-injector.js';

/** Applies the faults of a job to the answers of status and history. */
export type JobAnswers = (
  method: string,
  url: URL,
  answer: Answer,
  /** The backend's answer for an unknown job. */
  notFound: (url: URL) => Answer,
) => Answer;

/** Makes {@link JobAnswers}, which count the reads of each record. */
export const createJobAnswers = (
  { registry, jobs }: Pick<FaultInjector, 'registry' | 'jobs'>,
  { now }: Pick<EmulatorClock, 'now'>,
  /** Writes an answer as the service does. */
  write: Write = stringifyExact,
): JobAnswers => {
  const countOf = readCounter();
  return (method, url, answer, notFound) => {
    if (!registry.isArmed() || method !== 'GET' || answer.status !== 200) return answer;
    const promptId = idIn(url.pathname);
    const faults = promptId === undefined ? [] : registry.ofJob(promptId);
    if (promptId === undefined || faults.length === 0) return answer;
    const isStatus = isRoute(statusRoute, method, url.pathname);
    const endedAt = jobs.endOf(promptId);
    const hasEnded = endedAt !== undefined;

    const changedBy = (before: Answer, fault: JobFault): Answer => {
      switch (fault.do) {
        case 'lose':
        case 'finish-while-disconnected':
          return before;
        case 'vanish':
          return fault.when !== 'ended' || hasEnded ? notFound(url) : before;
        case 'history-lag':
          return !isStatus && hasEnded && now() < endedAt + fault.ms ? notFound(url) : before;
        case 'status':
          return isStatus && isDue(fault.when, hasEnded)
            ? edited(before, (body) => ({ ...body, status: fault.word }), write)
            : before;
        case 'outputs':
          return isStatus
            ? before
            : edited(before, (body) => withOutputs(body, promptId, fault.outputs), write);
        case 'late-outputs':
          return !isStatus && hasEnded && countOf(promptId) <= fault.reads
            ? edited(before, (body) => withOutputs(body, promptId, {}), write)
            : before;
      }
    };
    return faults.reduce(changedBy, answer);
  };
};

/** Makes a function that counts the reads of each job, and gives the number of this one, from 1. */
export const readCounter = (): ((promptId: string) => number) => {
  const reads = new Map<string, number>();
  return (promptId) => {
    const count = (reads.get(promptId) ?? 0) + 1;
    reads.set(promptId, count);
    return count;
  };
};

/** Whether a fault of this time holds now. */
export const isDue = (when: 'always' | 'moving' | 'ended' = 'always', hasEnded: boolean): boolean =>
  when === 'always' || (when === 'ended') === hasEnded;

const statusRoute = 'GET /api/job/{id}/status';

/** The job id in the path of a status or history request. */
const idIn = (path: string): string | undefined =>
  /^(?:\/api)?\/(?:job|jobs|history_v2|history)\/([^/]+)/.exec(path)?.[1];

type Body = Readonly<Record<string, unknown>>;

/** Changes the JSON object of an answer. */
export const edited = (
  answer: Answer,
  edit: (body: Body) => Body,
  write: Write = stringifyExact,
): Answer => ({
  ...answer,
  body: write(edit(parsePython(Buffer.from(answer.body ?? '').toString()) as Body)),
});

type Write = (value: unknown) => string;

/** The record is the body itself, or the member of the body under the id. */
const withOutputs = (body: Body, promptId: string, outputs: Body): Body => {
  const nested = body[promptId];
  return typeof nested === 'object' && nested !== null
    ? { ...body, [promptId]: { ...nested, outputs } }
    : { ...body, ...('outputs' in body ? { outputs } : {}) };
};

import type { HttpRequest } from '../../../src/core/platform/platform.js';
import type { LoggedRequest } from '../ledger.js';
import type { SimClock } from '../sim-clock.js';
import type { SimJob, SimJobs } from '../sim-jobs.js';
import type { Answer } from '../sim-rest.js';
import { jobDocument, refusalOf, type V2Marks } from './v2-documents.js';

/** What the answers depend on. */
export interface V2AnswersOptions {
  readonly clock: SimClock;
  readonly jobs: SimJobs;
  readonly knows: (key: string | null) => boolean;
  /** Accepts the submission of a plan and returns its id. */
  readonly submit: (correlation: number) => string;
  /** Whether the queue of v1 stands beside API v2. */
  readonly hasQueue: boolean;
  readonly marksOf: (promptId: string) => V2Marks;
  /** The idempotency keys that are taken. */
  readonly takenKeys: Set<string>;
  /** No job has a route until this time. */
  readonly routesGoneUntil: () => number;
}

/** Whether the service knows a job to nobody now. */
export const isHiddenAt = ({ hiddenSince, hiddenUntil }: SimJob, now: number): boolean =>
  now < hiddenUntil && now >= hiddenSince;

/** The true answers of API v2, and what asking does. */
export const v2Answers = ({
  clock,
  jobs,
  knows,
  submit,
  marksOf,
  takenKeys,
  routesGoneUntil,
  hasQueue,
}: V2AnswersOptions) => {
  /** What was submitted, by job. */
  const bodies = new Map<SimJob, string>();
  return (
    { route, key, promptId = '', correlation = -1 }: LoggedRequest,
    { headers, json }: HttpRequest,
  ): Answer => {
    if (!knows(key ?? null)) return refusalOf(401, 'unauthorized');
    const job = jobs.byId.get(promptId);
    const isUnknown = job === undefined || isHiddenAt(job, clock.now()) || clock.now() < routesGoneUntil();
    switch (route) {
      case 'submit': {
        const idempotencyKey = headers['idempotency-key'];
        if (idempotencyKey !== undefined && takenKeys.has(idempotencyKey))
          return refusalOf(422, 'idempotency_key_reuse');
        if (idempotencyKey !== undefined) takenKeys.add(idempotencyKey);
        const accepted = jobs.byId.get(submit(correlation))!;
        bodies.set(accepted, json ?? '{}');
        return { status: 201, body: jobDocument(accepted, {}, clock.now()) };
      }
      case 'status':
        return isUnknown
          ? unknown(promptId)
          : { status: 200, body: jobDocument(job, marksOf(promptId), clock.now()) };
      case 'cancel':
        if (isUnknown) return unknown(promptId);
        cancel(job, marksOf(promptId), clock);
        return { status: 200, body: jobDocument(job, marksOf(promptId), clock.now()) };
      case 'user':
        return refusalOf(404, 'job_not_found');
      case 'queue':
        return hasQueue ? { status: 200, body: queueOf(jobs, bodies) } : refusalOf(404, 'not_found');
      default:
        return refusalOf(404, 'not_found');
    }
  };
};

/** The queue as v1 lists it: the jobs that were submitted here and go on. */
const queueOf = (jobs: SimJobs, bodies: ReadonlyMap<SimJob, string>): object => {
  const listed = (phase: SimJob['phase']): readonly unknown[] =>
    [...jobs.byId.values()].flatMap((job) => {
      const body = bodies.get(job);
      if (job.phase !== phase || body === undefined) return [];
      const { workflow } = JSON.parse(body) as { readonly workflow: unknown };
      return [[1, job.promptId, workflow, {}, []]];
    });
  return { queue_running: listed('in_progress'), queue_pending: listed('pending') };
};

/** Both spellings are in use. */
const unknown = (promptId: string): Answer =>
  refusalOf(404, promptId.length % 2 === 0 ? 'job_not_found' : 'not_found');

/** A job that waits is over at once; one that runs ends a little later, unless it is faster. */
const cancel = (job: SimJob, marks: V2Marks, clock: SimClock): void => {
  if (job.endedAt !== undefined) return;
  if (job.phase === 'pending') {
    job.end('cancelled');
    return;
  }
  marks.isCanceling = true;
  if (!job.runsOnRegardless) clock.at(200, () => job.end('cancelled'));
};

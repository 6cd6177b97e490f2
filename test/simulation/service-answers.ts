import type { HttpRequest } from '../../src/core/platform/platform.js';
import type { LoggedRequest } from './ledger.js';
import type { SimClock } from './sim-clock.js';
import type { SimJob, SimJobs } from './sim-jobs.js';
import { detailOf, historyOf } from './sim-record.js';
import type { Answer } from './sim-rest.js';

/** What the answers depend on. */
export interface AnswersOptions {
  readonly clock: SimClock;
  readonly jobs: SimJobs;
  readonly knows: (key: string | null) => boolean;
  /** Accepts the submission of a plan and returns its id. */
  readonly submit: (correlation: number) => string;
  /** Status and history have no route until this time. */
  readonly routesGoneUntil: () => number;
  /** Whether the jobs API answers sensibly, now and then at least. */
  readonly hasDetails: () => boolean;
}

/** The true answers of the service, and what asking does. */
export const serviceAnswers =
  ({ clock, jobs, knows, submit, routesGoneUntil, hasDetails }: AnswersOptions) =>
  ({ route, key, promptId = '', correlation = -1 }: LoggedRequest, asked: HttpRequest): Answer => {
    if (!knows(key ?? null)) return refused(401, 'UNAUTHORIZED');
    const job = jobs.byId.get(promptId);
    const isGone = clock.now() < routesGoneUntil();
    const isHidden = job === undefined || (clock.now() < job.hiddenUntil && clock.now() >= job.hiddenSince);
    switch (route) {
      case 'submit':
        return { status: 200, body: { prompt_id: submit(correlation), number: 1, node_errors: {} } };
      case 'status':
        return isGone || isHidden ? notFound : statusOf(job, clock.now());
      case 'history':
        return isGone || isHidden ? notFound : historyOf(job, clock.now(), job.hasDetail && hasDetails());
      case 'job':
        return isHidden || !job.hasDetail ? notFound : detailOf(job, clock.now());
      case 'cancel':
        return cancel(job, clock);
      case 'user':
        return { status: 200, body: { status: 'active' } };
      default:
        return asked.method === 'GET' ? { status: 200, body: {} } : notFound;
    }
  };

const refused = (status: number, type: string): Answer => ({
  status,
  body: { error: { type, message: 'no' } },
});

const notFound: Answer = { status: 404, body: { code: 'NOT_FOUND', message: 'no such thing' } };

const statusOf = (job: SimJob, now: number): Answer => ({
  status: 200,
  body: {
    id: job.promptId,
    status: job.word !== undefined && now < job.word.until ? job.word.word : job.phase,
    ...(job.failure !== undefined && job.plan.tellsReason === true
      ? { error_message: JSON.stringify(job.failure) }
      : {}),
  },
});

const cancel = (job: SimJob | undefined, clock: SimClock): Answer => {
  if (job === undefined) return { status: 200, body: { deleted: [] } };
  if (job.phase === 'pending') {
    job.end('cancelled');
    return { status: 200, body: { deleted: [job.promptId] } };
  }
  if (job.phase === 'in_progress' && !job.runsOnRegardless) {
    clock.at(200, () => job.end('cancelled'));
    return { status: 200, body: { deleted: [job.promptId] } };
  }
  return { status: 200, body: { deleted: [] } };
};

import type { JobKind, SimJob } from './sim-jobs.js';
import type { Answer } from './sim-rest.js';

/** A record that looks final and has no file is filled within so long, or never. */
const emptyMs = 8_000;

const notThere: Answer = { status: 404, body: { code: 'NOT_FOUND', message: 'no such thing' } };

const record = (outputs: object, status: object): Answer => ({ status: 200, body: { outputs, status } });

/** What history says of a job, which may trail its end by a minute; `isCounted` where the jobs API says how many files there are. */
export const historyOf = (job: SimJob, now: number, isCounted: boolean): Answer => {
  if (job.endedAt === undefined) return notThere;
  return now < (job.recordAt ?? Infinity) ? trailing(job, isCounted) : record(job.outputs, statusOf(job));
};

/** A record on its way: none at all, one that is not final, or one that looks final and lacks files. */
const trailing = (job: SimJob, isCounted: boolean): Answer => {
  const { plan, phase, lagMs, outputs } = job;
  const some = Object.fromEntries(Object.entries(outputs).slice(0, Math.ceil(plan.nodes / 2) - 1));
  const unfinished = (shown: object): Answer =>
    record(shown, {
      completed: false,
      messages: [['execution_start', { prompt_id: job.promptId, timestamp: 1 }]],
    });
  switch (plan.lagShows) {
    case 'nothing':
      return notThere;
    case 'record without outputs':
      if (phase !== 'completed') return notThere;
      return lagMs <= emptyMs ? record({}, statusOf(job)) : unfinished({});
    case 'some outputs':
      // Only the count that the jobs API gives tells it from a whole one.
      return phase === 'completed' && isCounted ? record(some, statusOf(job)) : unfinished(some);
    case 'unfinished record':
      return unfinished(some);
  }
};

/** How a record says that it is final. */
const statusOf = (job: SimJob): object => {
  const isComplete = job.phase === 'completed';
  const { type, data } = job.endMessage(job.phase as JobKind);
  const messages = isComplete || job.plan.withoutMessages === true ? [] : [[type, data]];
  return { status_str: isComplete ? 'success' : 'error', completed: isComplete, messages };
};

/** What the jobs API says of a job: always one of the five states, the reason, and how many files there will be. */
export const detailOf = (job: SimJob, now: number): Answer => {
  const isOver = job.endedAt !== undefined;
  const isWhole = isOver && now >= (job.recordAt ?? Infinity);
  return {
    status: 200,
    body: {
      id: job.promptId,
      status: job.phase,
      create_time: 1_767_225_600_000,
      update_time: 1_767_225_600_000,
      ...(isOver ? { outputs_count: countOf(job.outputs) } : {}),
      ...(isWhole ? { outputs: job.outputs } : {}),
      ...(job.failure === undefined ? {} : { execution_error: job.failure }),
    },
  };
};

const countOf = (outputs: Readonly<Record<string, object>>): number =>
  Object.values(outputs)
    .flatMap((output) => Object.values(output) as unknown[])
    .flat()
    .filter((file) => typeof file === 'object' && file !== null && 'filename' in file).length;

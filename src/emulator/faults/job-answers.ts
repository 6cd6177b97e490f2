import type { Answer } from '../http/answer.js';
import type { LedgerJob } from '../ledger/ledger.js';
import { isRoute } from './is-route.js';
import type { FaultKit } from './fault-kit.js';

/** Changes what status and history say of a job that such a fault has struck. */
export type JobAnswers = (method: string, url: URL, answer: Answer) => Answer;

/** Makes {@link JobAnswers}; it remembers how often a record was read. */
export const createJobAnswers = ({ machine, book }: FaultKit): JobAnswers => {
  const reads = new Map<string, number>();
  return (method, { pathname: path }, answer) => {
    if (!machine.isArmed() || method !== 'GET' || answer.status !== 200) return answer;
    const promptId = idIn(path);
    const faults = promptId === undefined ? [] : machine.ofJob(promptId);
    if (promptId === undefined || faults.length === 0) return answer;
    const hasEnded = endStates.has(book.jobs().find((job) => job.promptId === promptId)?.state ?? 'pending');
    let changed = answer;
    for (const fault of faults) {
      if (fault.do === 'status' && isRoute(statusRoute, method, path)) {
        const { when = 'always' } = fault;
        if (when === 'always' || (when === 'ended') === hasEnded)
          changed = edited(changed, (body) => ({ ...body, status: fault.word }));
      }
      if (fault.do === 'late-outputs' && hasEnded && !isRoute(statusRoute, method, path)) {
        const count = (reads.get(promptId) ?? 0) + 1;
        reads.set(promptId, count);
        if (count <= fault.reads) changed = edited(changed, (body) => withoutOutputs(body, promptId));
      }
    }
    return changed;
  };
};

const statusRoute = 'GET /api/job/{id}/status';

/** The job that a status or history address means. */
const idIn = (path: string): string | undefined =>
  /^(?:\/api)?\/(?:job|jobs|history_v2|history)\/([^/]+)/.exec(path)?.[1];

const endStates: ReadonlySet<LedgerJob['state']> = new Set(['completed', 'failed', 'cancelled', 'lost']);

type Body = Readonly<Record<string, unknown>>;

/** A body that is no JSON object, such as one with a bare NaN, stays as it is. */
const edited = (answer: Answer, edit: (body: Body) => Body): Answer => {
  try {
    const body = JSON.parse(Buffer.from(answer.body ?? '').toString()) as Body;
    return { ...answer, body: JSON.stringify(edit(body)) };
  } catch {
    return answer;
  }
};

/** The record is the body itself, or stands in it under the id. */
const withoutOutputs = (body: Body, promptId: string): Body => {
  const nested = body[promptId];
  return typeof nested === 'object' && nested !== null
    ? { ...body, [promptId]: { ...nested, outputs: {} } }
    : { ...body, ...('outputs' in body ? { outputs: {} } : {}) };
};

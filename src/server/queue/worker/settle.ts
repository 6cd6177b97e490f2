import type { HeldJob, SubmissionService, SubmissionStore } from '../policy/submission-ports.js';
import type { Intent } from '../policy/intent.js';
import { judgeRefusal } from '../policy/judge-refusal.js';
import type { Observation } from '../../../core/lost/decide-match.js';
import { nextStep } from '../policy/next-step.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { SubmissionRules } from '../policy/rules.js';

/** How the submission of a job came out. */
export type Settled =
  /** The service has the job. */
  | { readonly _tag: 'attached'; readonly promptId: string }
  /** The job is over already. */
  | { readonly _tag: 'finished' }
  /** Another worker holds the job now: leave it alone. */
  | { readonly _tag: 'lost' }
  /** The service did not take it: because of the workflow, of the account, of the moment, or since the worker stops. */
  | {
      readonly _tag: 'refused';
      readonly by: 'job' | 'account' | 'later' | 'stopped';
      readonly error: ServiceError;
    }
  /** Whether the service has the job can't be found out. */
  | { readonly _tag: 'unknown'; readonly reason: string; readonly candidates: readonly string[] };

/** The store, the service, the rules and the clocks of a submission. */
export interface SettleContext {
  readonly worker: string;
  readonly store: SubmissionStore;
  readonly service: SubmissionService;
  readonly rules: SubmissionRules;
  readonly uuid: () => string;
  /** A clock that never goes back, in milliseconds. */
  readonly elapsed: () => number;
  /** Resolves that many milliseconds later. */
  readonly pause: (ms: number) => Promise<void>;
}

/**
 * Leads a job that this worker holds to its id on the service, submitting it where that can't cost twice.
 *
 * The intent is durable before each submission leaves. A worker that was suspended between the two sends nothing: it begins anew, and
 * the store refuses its next intent if the job has another holder by then. Rejects where the store or `pause` does, and leaves the job
 * as it is.
 */
export const settle = async (job: HeldJob, context: SettleContext): Promise<Settled> => {
  const { store, service, rules, pause } = context;
  const observations: Observation[] = [];
  let record = job.record;
  for (;;) {
    const step = nextStep(record, observations, rules, store.now());
    switch (step._tag) {
      case 'finished':
        return step;
      case 'unknown':
        return step;
      case 'attach': {
        const { promptId } = step;
        if (record.promptId !== undefined) return { _tag: 'attached', promptId };
        const kept = record.intent && (await store.answered(job.id, record.intent.submissionId, promptId));
        if (kept !== undefined) return { _tag: 'attached', promptId: kept };
        // The id went to another job meanwhile, so the next observation does not show it.
        observations.push({ at: store.now(), marked: [], alike: [] });
        break;
      }
      case 'observe': {
        await pause(Math.max(0, step.at - store.now()));
        const at = store.now();
        const seen = record.intent && (await service.observe(record.intent));
        if (seen === undefined) await pause(rules.lookEveryMs);
        else observations.push({ at, ...seen });
        break;
      }
      case 'submit': {
        const posted = await post(job, step, context);
        if (posted._tag === 'open') {
          record = { intent: posted.intent };
          if (posted.observation !== undefined) observations.push(posted.observation);
        } else if (posted._tag !== 'late') return posted;
        break;
      }
    }
  }
};

type Posted =
  | Settled
  /** The worker was suspended before it could send. */
  | { readonly _tag: 'late' }
  /** The service may have the job; `observation` where the answer says something about that. */
  | { readonly _tag: 'open'; readonly intent: Intent; readonly observation?: Observation };

/** Stores the intent, submits, and stores the answer. */
const post = async (
  job: HeldJob,
  { attempt, repeat }: { readonly attempt: number; readonly repeat?: Intent },
  context: SettleContext,
): Promise<Posted> => {
  const { worker, store, service, rules, uuid, elapsed } = context;
  const { submissionIds } = service;
  const submissionId = repeat?.submissionId ?? uuid();
  const before = elapsed();
  const intent = await store.intend(job, { attempt, worker, submissionIds, submissionId });
  if (intent === undefined) return { _tag: 'lost' };
  const spentMs = elapsed() - before;
  if (spentMs > rules.deadlineMs / 2) {
    if (repeat === undefined) await store.refused(job.id, intent);
    return { _tag: 'late' };
  }
  const answer = await service.submit(submissionId, rules.deadlineMs - spentMs);
  if (answer._tag === 'accepted') {
    const promptId = await store.answered(job.id, submissionId, answer.promptId);
    return promptId === undefined ? { _tag: 'lost' } : { _tag: 'attached', promptId };
  }
  return afterRefusal(job, answer.error, { intent, isRepetition: repeat !== undefined }, context);
};

/** What a refusal, or an answer that did not come, says of the submission. */
const afterRefusal = async (
  job: HeldJob,
  error: ServiceError,
  { intent, isRepetition }: { readonly intent: Intent; readonly isRepetition: boolean },
  { store, service, rules, pause }: SettleContext,
): Promise<Posted> => {
  const judgement = judgeRefusal(error);
  const isAboutAll = !isRepetition || service.submissionIds === 'jobs';
  if (judgement !== 'open' && isAboutAll) {
    await store.refused(job.id, intent);
    return { _tag: 'refused', by: judgement, error };
  }
  // A service may refuse a repetition before it looks at its key, so this says nothing about the first submission.
  if (judgement !== 'open' && judgement !== 'job') return { _tag: 'refused', by: judgement, error };
  const isUsed = judgement === 'job' || (error._tag === 'OutcomeUnknown' && error.keyUsed === true);
  if (!isUsed) {
    await pause(rules.lookEveryMs);
    return { _tag: 'open', intent };
  }
  const at = store.now();
  const seen = await service.observe(intent);
  // An observation without an answer decides nothing, but the key is used.
  const observation = seen === undefined ? { at: 0, marked: [], alike: [] } : { at, ...seen };
  return { _tag: 'open', intent, observation };
};

import { concernsWorkflow } from '../../../core/errors/refusal-hints.js';
import type { ServiceError } from '../../../core/errors/errors.js';

/**
 * What an error of a submission means for the job: `open`, the service may have it; `account`, it takes none of this account until
 * its owner acts; `later`, it takes it another time; `stopped`, the worker's client ends; `job`, it never takes this workflow.
 */
export type Judgement = 'open' | 'account' | 'later' | 'stopped' | 'job';

/** Judges the error of a submission. Every judgement but `open` proves that the service has no job of it. */
export const judgeRefusal = ({
  _tag,
  retry,
  errorType,
}: Pick<ServiceError, '_tag' | 'retry'> & Partial<Pick<ServiceError, 'errorType'>>): Judgement => {
  if (_tag === 'OutcomeUnknown' || retry === 'unknown outcome') return 'open';
  // Its nodes or its model are refused: others of the queue may be accepted.
  if (accountErrors.has(_tag)) return concernsWorkflow(errorType) ? 'job' : 'account';
  // A 400 like that of a wrong workflow, which every workflow gets.
  if (errorType?.toLowerCase() === 'workspace_id_invalid') return 'account';
  if (stopErrors.has(_tag)) return 'stopped';
  return retry === 'after' ? 'later' : 'job';
};

const accountErrors: ReadonlySet<ServiceError['_tag']> = new Set([
  'Unauthorized',
  'Forbidden',
  'InsufficientCredits',
  'SubscriptionInactive',
  'InvalidConfig',
]);

const stopErrors: ReadonlySet<ServiceError['_tag']> = new Set(['Aborted', 'Closed', 'Draining']);

import type { ServiceError } from '../node.js';
import type { ExitName } from './exit-code.js';

/**
 * How far a command is: a single `call`, or one after the other of `prepare` (nothing was submitted), `submit` (the POST
 * is under way), `watch` (the job runs), `cancel` (asked for its end), `ended` and `download`; `serve` is the emulator's.
 */
export type Stage = 'call' | 'prepare' | 'submit' | 'watch' | 'cancel' | 'ended' | 'download' | 'serve';

/** Tells which kind of end an error is. */
export const exitOfError = (error: ServiceError, stage: Stage): ExitName => {
  const name = byTag[error._tag];
  if (stage === 'download' && name !== 'auth' && name !== 'billing') return 'download';
  if (stage === 'submit' && refusalsOfTheWorkflow.has(error._tag)) return 'invalidWorkflow';
  return name;
};

const refusalsOfTheWorkflow: ReadonlySet<ServiceError['_tag']> = new Set(['BadRequest', 'TooLarge']);

const byTag: Readonly<Record<ServiceError['_tag'], ExitName>> = {
  BadRequest: 'unexpected',
  Unauthorized: 'auth',
  InsufficientCredits: 'billing',
  SubscriptionInactive: 'billing',
  Forbidden: 'auth',
  NotFound: 'untraceable',
  TooLarge: 'service',
  QueueFull: 'service',
  RateLimited: 'service',
  ServerError: 'service',
  UnexpectedStatus: 'unexpected',
  ProtocolChanged: 'unexpected',
  Network: 'network',
  Timeout: 'timeout',
  Aborted: 'unexpected',
  Closed: 'unexpected',
  Draining: 'unexpected',
  Decode: 'unexpected',
  OutcomeUnknown: 'outcomeUnknown',
  CancelNotApplied: 'goesOn',
  DownloadFailed: 'download',
  UnsafeRedirect: 'download',
  FileSystem: 'usage',
  InvalidWorkflow: 'invalidWorkflow',
  UnknownNode: 'usage',
  InvalidConfig: 'usage',
  Overflow: 'unexpected',
  JobFailed: 'failed',
  JobCancelled: 'cancelled',
  OutputsIncomplete: 'incomplete',
};

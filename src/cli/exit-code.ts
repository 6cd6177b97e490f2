import type { JobState, ServiceError } from '../node.js';

/** Every kind of end with its exit code and meaning; the table of docs/cli.md is made of it. */
export const exitCodes = {
  done: { code: 0, meaning: 'Done' },
  unexpected: {
    code: 1,
    meaning: 'Something that promptwire did not expect: an answer it cannot read, or a fault of its own',
  },
  differs: { code: 1, meaning: 'The workflows that `diff` compares differ' },
  usage: {
    code: 2,
    meaning: 'The command line, a setting or a file named there is not usable; nothing was sent',
  },
  auth: { code: 3, meaning: 'The key is missing, unknown, or may not do this' },
  billing: { code: 4, meaning: 'No credits, or no active subscription' },
  invalidWorkflow: {
    code: 5,
    meaning: "The file holds no workflow, it can't be converted, it has errors, or the service refused it",
  },
  failed: { code: 6, meaning: 'The job failed' },
  cancelled: { code: 7, meaning: 'The job was cancelled' },
  outcomeUnknown: {
    code: 8,
    meaning: 'The submission may or may not have been accepted: look at the queue before you repeat it',
  },
  untraceable: { code: 9, meaning: 'The service knows no such job, file or node' },
  download: { code: 10, meaning: 'The job completed, but a file could not be fetched or written' },
  timeout: {
    code: 11,
    meaning: '`--timeout` passed, or the service did not answer in time; a submitted job goes on',
  },
  network: { code: 12, meaning: 'The service could not be reached' },
  service: {
    code: 13,
    meaning: 'The service refuses for now: queue full, too many requests, too large, or a failure of its own',
  },
  goesOn: {
    code: 14,
    meaning: 'The job goes on: it has no outputs yet, or its cancellation did not take effect',
  },
  incomplete: {
    code: 15,
    meaning: 'The job completed, but its record is not complete: files may be missing',
  },
  over: { code: 16, meaning: 'The job that `cancel` names was over before' },
  SIGHUP: { code: 129, meaning: 'Stopped by SIGHUP; a submitted job goes on' },
  SIGINT: {
    code: 130,
    meaning:
      'Stopped by Ctrl-C; a submitted job goes on, unless `--on-interrupt cancel` asked for its end (`cancelled` once it has ended so)',
  },
  pipe: { code: 141, meaning: 'The reader of standard output went away; a submitted job goes on' },
  SIGTERM: { code: 143, meaning: 'Stopped by SIGTERM; a submitted job goes on' },
} as const satisfies Readonly<Record<string, { readonly code: number; readonly meaning: string }>>;

/** The name of one kind of end, as in the `end` line of `--json`. */
export type ExitName = keyof typeof exitCodes;

/**
 * The stage of a command: a single `call`, or in order `prepare` (nothing submitted), `submit` (the POST is under way),
 * `watch` (the job runs), `cancel` (cancellation requested), `ended` and `download`; `serve` is that of a server.
 */
export type Stage = 'call' | 'prepare' | 'submit' | 'watch' | 'cancel' | 'ended' | 'download' | 'serve';

/** The kind of end of an error. */
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
  HashMismatch: 'service',
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
  NotSupported: 'usage',
  Decode: 'unexpected',
  OutcomeUnknown: 'outcomeUnknown',
  CancelNotApplied: 'goesOn',
  DownloadFailed: 'download',
  UnsafeRedirect: 'download',
  FileSystem: 'usage',
  InvalidWorkflow: 'invalidWorkflow',
  UnknownNode: 'usage',
  AmbiguousNode: 'usage',
  UnknownInput: 'usage',
  InvalidInputs: 'usage',
  InvalidRecording: 'usage',
  InvalidConfig: 'usage',
  Overflow: 'unexpected',
  Defect: 'unexpected',
  Empty: 'unexpected',
  JobFailed: 'failed',
  JobCancelled: 'cancelled',
  OutputsIncomplete: 'incomplete',
};

/** The kind of end of a job's last state; failures of billing and of validation have their own kinds. */
export const exitOfJob = (state: Pick<JobState, 'phase' | 'failure' | 'outputsComplete'>): ExitName => {
  switch (state.phase) {
    case 'completed':
      return state.outputsComplete ? 'done' : 'incomplete';
    case 'cancelled':
    case 'untraceable':
      return state.phase;
    case 'unknown':
      return 'outcomeUnknown';
    case 'failed':
      return byException.get(state.failure?.exceptionType ?? '') ?? 'failed';
    default:
      return 'unexpected';
  }
};

const byException: ReadonlyMap<string, ExitName> = new Map([
  ['ValidationError', 'invalidWorkflow'],
  ['InsufficientFundsError', 'billing'],
  ['InactiveSubscriptionError', 'billing'],
]);

import type { JobEvent } from './state/job-events.js';
import type { JobPhase, Progress } from '../../index.js';
import type { KnownJob } from './state/jobs.js';
import type { RemoteServer } from '../../remote.js';
import { valueText } from './state/value-text.js';

// Numbers, times, phases and states as the texts of the studio name them.

export const count = (many: number, one: string, several = `${one}s`): string =>
  `${many} ${many === 1 ? one : several}`;

/** `20 s`, `3 min`. */
export const duration = (ms: number): string => {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
};

/** `about 20 s`, or `20 s to 3 min` where it may be far more. */
export const timeLeft = ({ timeLeftMs: ms = 0, timeLeftMaxMs: maxMs = ms }: TimeLeft): string => {
  const [least, most] = [duration(ms), duration(maxMs)];
  return least === most ? `about ${least}` : `${least} to ${most}`;
};

/** How long a job takes at least, and at most where that is far more. */
export type TimeLeft = Pick<Progress, 'timeLeftMs' | 'timeLeftMaxMs'>;

/** `340 ms`, `2.41 s`. */
export const precise = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;

export const phases: Readonly<Record<JobPhase, string>> = {
  submitting: 'Sending the workflow …',
  pending: 'Waiting for its turn',
  in_progress: 'Running',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  untraceable: 'The service has forgotten this job',
  unknown: 'Perhaps submitted: the answer was lost',
};

/** What helps, by the name of an exception as services and Python have it. */
const hints: readonly (readonly [RegExp, string])[] = [
  [/OutOfMemory|OOM/u, 'Make the picture smaller, or run fewer of them at once.'],
  [/^ValidationError$/u, 'Look at the inputs that are named, change them, and run again.'],
  [/^ModelDownloadError$/u, 'The service does not get the model: choose another one, or run again later.'],
  [/^ImageDownloadError$/u, 'The service does not get the picture: send it again, then run again.'],
  [/^InsufficientFundsError$/u, 'The account has too few credits: add some, then run again.'],
  [
    /^InactiveSubscriptionError$/u,
    'The subscription of the account is not active: renew it, then run again.',
  ],
  [
    /^(?:ServiceError|PanicError|DispatcherError)$/u,
    'The service itself failed: run again; if it fails once more, ask those who run it.',
  ],
];

export const hintOf = (exceptionType = ''): string =>
  hints.find(([pattern]) => pattern.test(exceptionType))?.[1] ??
  'Change the inputs that this node takes, and run again; nothing else was lost.';

/** Where a job stands among those that wait and run. */
export const stateInQueue = ({ state }: Pick<KnownJob, 'state'>, place: number, left: TimeLeft): string => {
  const isKnown = left.timeLeftMs !== undefined;
  if (state?.phase === 'pending') {
    const position = state.queue?.position ?? place;
    const why = state.queue?.reason === 'concurrency_limit' ? ', as the account runs no more at once' : '';
    return `number ${position} in the queue${why}${isKnown ? `, ${timeLeft(left)}` : ''}`;
  }
  if (state?.phase === 'in_progress') return isKnown ? `${timeLeft(left)} left` : 'running';
  return state === undefined ? 'sending' : phases[state.phase].toLowerCase();
};

/** What the job on the stage does. */
export const stateOnStage = ({
  state,
  failure,
  workflow,
}: Pick<KnownJob, 'state' | 'failure' | 'workflow'>): string => {
  if (failure !== undefined) return 'Failed';
  if (state === undefined) return phases.submitting;
  const node = Object.values(state.nodes).find(({ phase }) => phase === 'running');
  if (state.phase !== 'in_progress' || node === undefined) return phases[state.phase];
  const steps = node.max > 1 ? `, step ${node.value} of ${node.max}` : '';
  const { displayNodeId: id } = node;
  return `Running ${workflow?.[id]?._meta?.title ?? `node ${id}`}${steps}`;
};

/** What a server does and how much it takes. */
export const stateOfServer = ({
  health,
  mode,
  reason,
  running,
  slots,
  waiting,
}: Pick<RemoteServer, 'health' | 'mode' | 'reason' | 'running' | 'slots' | 'waiting'>): string => {
  const standing = mode === 'active' ? { ...healths, up: '' }[health] : mode;
  const why = standing === '' || reason === undefined ? '' : ` (${reason})`;
  const work = `${running} of ${slots} running${waiting === 0 ? '' : `, ${waiting} waiting`}`;
  return standing === '' ? work : `${standing}${why}, ${work}`;
};

const healths: Readonly<Record<Exclude<RemoteServer['health'], 'up'>, string>> = {
  unknown: 'not asked yet',
  down: 'down',
  refusing: 'refuses the account',
  'trusted later': 'was down, and is tried later',
};

/** What an event of a job says, in a few words. */
export const summaryOf = ({ name, data }: Pick<JobEvent, 'name' | 'data'>): string => {
  const { status, progress, nodeId, added } = data as {
    readonly status?: { readonly phase?: unknown };
    readonly progress?: { readonly progress?: unknown };
    readonly nodeId?: unknown;
    readonly added?: readonly unknown[];
  };
  if (name === 'status') return valueText(status?.phase);
  if (name === 'progress') return `${Math.round(100 * Number(progress?.progress ?? 0))} %`;
  if (name === 'output') return `node ${valueText(nodeId)}, ${count(added?.length ?? 0, 'file')}`;
  return name === 'preview' || name === 'picture' ? `node ${valueText(nodeId)}` : '';
};

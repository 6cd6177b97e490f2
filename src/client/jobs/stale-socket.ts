import type { TimerQueue, QueuedTimer } from './timer-queue.js';
import type { Clock } from '../../core/platform/platform.js';
import type { FrameSource } from '../../core/socket/frame-source.js';
import { jobEnd } from './job-end.js';
import type { JobInput } from '../../core/state/step-job-state.js';
import type { JobState } from '../../core/state/job-state.js';

/** How late a message may be: a socket that brings nothing for so long after REST was ahead of it has lost it. */
const lagMs = 10_000;
/** Between two replacements of the socket jobs are polled. */
const betweenMs = 300_000;

/** Watches whether the socket that claims to be open still brings the events of jobs. */
export interface StaleSocketDetector {
  /** REST reported something that the open socket should have brought before. */
  readonly restWasAhead: () => void;
  /** The client follows no job any more: leaves no timer, and keeps what was noticed. */
  readonly stop: () => void;
  /** The client follows a job again. */
  readonly start: () => void;
}

/** The socket that is watched, and the timers of the client. */
export interface StaleSocketContext {
  readonly platform: { readonly clock: Clock };
  readonly timers: TimerQueue;
  readonly source: Pick<FrameSource, 'states' | 'framesOfJobs' | 'reconnect'>;
}

/**
 * Replaces a socket that answers pings, or can't be pinged, and yet brings nothing.
 *
 * Once REST was ahead of it, the socket has 10 s to bring any message of any job; then it is replaced. It is not replaced
 * again before 5 minutes have passed and a socket has brought something of a job: where a service sends nothing at all,
 * another socket does not help, and polling goes on.
 */
export const staleSocketDetector = ({
  platform: { clock },
  timers,
  source,
}: StaleSocketContext): StaleSocketDetector => {
  let noticed: { readonly clientId: string; readonly frames: number; readonly at: number } | undefined;
  let recycledAt = -Infinity;
  let framesThen: number | undefined;

  const openSocket = (): string | undefined => {
    const state = source.states.value;
    return state._tag === 'open' ? state.clientId : undefined;
  };
  const check: QueuedTimer = {
    dueAt: Infinity,
    place: -1,
    due: () => {
      const isStill = noticed?.clientId === openSocket() && noticed?.frames === source.framesOfJobs;
      noticed = undefined;
      if (!isStill || source.framesOfJobs === framesThen || clock.now() < recycledAt + betweenMs) return;
      recycledAt = clock.now();
      framesThen = source.framesOfJobs;
      source.reconnect();
    },
  };

  return {
    restWasAhead: () => {
      const clientId = openSocket();
      if (clientId === undefined) return;
      if (noticed?.clientId === clientId && noticed.frames === source.framesOfJobs) return;
      noticed = { clientId, frames: source.framesOfJobs, at: clock.now() };
      timers.put(check, noticed.at + lagMs);
    },
    stop: () => timers.drop(check),
    start: () => {
      if (noticed !== undefined) timers.put(check, Math.max(clock.now(), noticed.at + lagMs));
    },
  };
};

/** When sources reported a job, and when the socket opened. */
export interface Heard {
  /** The latest report of any source, before that of REST. */
  readonly seenBefore: number;
  /** The latest frame. */
  readonly lastFrameAt: number;
  readonly openedAt: number;
}

/**
 * Whether REST reports what the open socket should have brought: the end or the start of a job that a source has reported
 * since that socket opened. The cancellation of a waiting job comes by no socket.
 */
export const isAheadOfSocket = (
  event: JobInput,
  { phase }: Pick<JobState, 'phase'>,
  { seenBefore, lastFrameAt, openedAt }: Heard,
): boolean => {
  if (seenBefore < openedAt) return false;
  const end = jobEnd(event);
  if (end !== undefined) return end.phase !== 'cancelled';
  const begins = event._tag === 'StatusRead' && event.phase === 'in_progress' && phase === 'pending';
  return begins && lastFrameAt < openedAt;
};

import type { Clock } from '../../core/platform/platform.js';
import type { FrameSource } from '../../core/socket/frame-source.js';
import type { QueuedTimer, TimerQueue } from './timer-queue.js';

/** How long a server that announces its queue may take to do so after it has accepted a submission. */
const announcedWithinMs = 2_000;

/** What one socket had brought when a submission left on it. */
export interface SocketMark {
  readonly clientId: string;
  /** How many messages of any kind had come by then. */
  readonly messages: number;
}

/** A job that was submitted while a socket was open. */
export interface Announced {
  /** Asks REST about the job; a service that has it would have announced it. */
  readonly checkSocket: () => void;
}

/** Notices a socket that brings nothing at all of a server that announces each change of its queue. */
export interface DeafSocketDetector {
  /** A job was accepted whose submission left at this mark. */
  readonly accepted: (job: Announced, mark: SocketMark) => void;
  /** The service has a job whose `checkSocket` was called. */
  readonly isThere: () => void;
  /** The client follows no job any more: leaves no timer. */
  readonly stop: () => void;
}

/** The socket that is watched, and the timers of the client. */
export interface DeafSocketContext {
  readonly platform: { readonly clock: Clock };
  readonly timers: TimerQueue;
  readonly source: Pick<FrameSource, 'states' | 'messages' | 'reopen'>;
}

/**
 * Replaces a socket that has brought nothing for 2 s since a submission left which the server accepted, where REST then has the job.
 *
 * Such a server tells every socket of each change of its queue (docs/protocol.md, L.24), so the silence is no chance. The jobs that
 * were submitted on that socket are polled from then on.
 */
export const deafSocketDetector = ({
  platform: { clock },
  timers,
  source,
}: DeafSocketContext): DeafSocketDetector => {
  /** The mark of the first submission since which the socket that is open has brought nothing, and the job of the latest one. */
  let doubted: { job: Announced; readonly mark: SocketMark } | undefined;

  const isSilentSince = ({ clientId, messages }: SocketMark): boolean => {
    const { value } = source.states;
    return value._tag === 'open' && value.clientId === clientId && source.messages === messages;
  };
  const check: QueuedTimer = {
    dueAt: Infinity,
    place: -1,
    due: () => {
      if (doubted !== undefined && isSilentSince(doubted.mark)) doubted.job.checkSocket();
      else doubted = undefined;
    },
  };

  return {
    accepted: (job, mark) => {
      if (!isSilentSince(mark)) return;
      if (doubted !== undefined && isSilentSince(doubted.mark)) {
        doubted.job = job;
        return;
      }
      doubted = { job, mark };
      timers.put(check, clock.now() + announcedWithinMs);
    },
    isThere: () => {
      const isDeaf = doubted !== undefined && isSilentSince(doubted.mark);
      doubted = undefined;
      if (isDeaf) source.reopen();
    },
    stop: () => {
      doubted = undefined;
      timers.drop(check);
    },
  };
};

import {
  type BehaviorSubject,
  concat,
  defer,
  filter,
  finalize,
  merge,
  type Observable,
  of,
  retry,
  share,
  Subject,
  takeUntil,
  throwError,
} from 'rxjs';
import type { Platform, SocketHandle } from '../platform/platform.js';
import type { ConnectionState } from './connection-state.js';
import { type Frame, malformed, type Malformed } from '../protocol/frames/frame.js';
import type { FrameListener, Routes } from './route.js';
import { type Expectation, frameReader, type FrameReaderOptions } from './frame-reader.js';
import { reconnecting, type ReconnectOptions } from './reconnect.js';
import { serviceError } from '../errors/service-error.js';
import { timerOn } from '../platform/timer.js';

/** The first message of each socket: it asks for previews and texts that name their job. */
const handshake = /* @__PURE__ */ JSON.stringify({
  type: 'feature_flags',
  data: { supports_preview_metadata: true, supports_progress_text_metadata: true },
});

/** The socket of a client: one connection, decoded once, fanned out by job. */
export interface FrameSource {
  /** Every frame, hot and multicast; completes with `close`. */
  readonly frames: Observable<Frame>;
  /** Gives a listener the frames of its job from now on, while the connection has a subscriber. */
  readonly listen: (listener: FrameListener) => void;
  readonly unlisten: (listener: FrameListener) => void;
  /** Keeps the connection without taking frames, also through a fatal error until `resume`; errors with `Closed`. */
  readonly connected: Observable<never>;
  readonly states: BehaviorSubject<ConnectionState>;
  /** The id of the socket that is open, or that the next attempt takes. */
  readonly clientId: string;
  /** Whether the latest attempt to connect failed. */
  readonly hasFailed: boolean;
  /** Ends a wait for the next attempt to connect. */
  readonly wake: () => void;
  /** When the latest socket opened, by the monotonic clock; Infinity before the first. */
  readonly openedAt: number;
  /** On a server that runs one job at a time: how many run or wait, as it tells each change; hot, and never errors. */
  readonly queueLengths: Observable<number>;
  /** How many messages have come in all, the server's words of the handshake (its greeting and its flags) apart. */
  readonly messages: number;
  /** How many messages of jobs have come in all, foreign jobs included. */
  readonly framesOfJobs: number;
  /** Replaces the socket that is open by another one. */
  readonly reconnect: () => void;
  /** Replaces the socket, open or connecting, by one with a new address; does nothing without subscribers. */
  readonly reopen: () => void;
  /** Begins keeping the frames of jobs that have no listener yet. */
  readonly expect: () => Expectation;
  /** Forgets why the connection failed, and connects again where it still has subscribers. */
  readonly resume: () => void;
  /** Ends everything at once: `frames` completes, and `connected` errors with `Closed`. */
  readonly close: () => void;
}

/** The address of a service's sockets, and what its messages mean. */
export interface FrameSourceOptions
  extends Pick<ReconnectOptions, 'headers' | 'maxMessageBytes' | 'hasAccount'>, FrameReaderOptions {
  readonly url: (clientId: string) => string;
  /** Whether a socket takes the client id of the one before, as the server sends a job's events to one id; default false. */
  readonly keepsClientId?: boolean;
  /** How long the socket outlives its last subscriber. */
  readonly lingerMs: number;
  /** Asks over REST with which status the service refuses this client, if it does; see `ReconnectOptions`. */
  readonly refusal?: (isHidden: boolean) => Promise<number | undefined>;
  /** Called with a job when its first listener subscribes, and when its last one leaves. */
  readonly followed?: (promptId: string, isFollowed: boolean) => void;
}

/**
 * Makes the hot stream: it connects with the first subscriber, outlives the last one by `lingerMs`, and reconnects in
 * between. A message is decoded at most once: one of a frequent kind (progress, pictures, texts of a job that it names) only
 * for `frames` or a listener of its job, and an event that names no job only for `frames`.
 */
export const frameSource = (
  platform: Platform,
  {
    url,
    headers,
    maxMessageBytes,
    oneJobAtOnce = false,
    keepsClientId,
    earlyBytes,
    lingerMs,
    refusal,
    hasAccount,
    onHello,
    followed,
    redact,
    redactValue,
  }: FrameSourceOptions,
): FrameSource => {
  const reader = frameReader({ oneJobAtOnce, earlyBytes, onHello, redact, redactValue });
  const { live, jobs } = reader;
  let socket: SocketHandle | undefined;
  let openedAt = Infinity;
  let isLingering = false;

  const connection = reconnecting(platform, {
    url,
    headers,
    keepsId: keepsClientId,
    refusal,
    hasAccount,
    redact,
    maxMessageBytes,
    tooLarge: () => live.next(tooLarge(maxMessageBytes)),
    received: reader.receive,
    opened: (opened) => {
      reader.begin();
      socket = opened;
      openedAt = platform.clock.now();
      socket.keepAlive?.(!isLingering);
      socket.send(handshake);
    },
  });

  /** A socket without subscribers keeps no process alive. */
  const setLingering = (lingers: boolean): void => {
    isLingering = lingers;
    socket?.keepAlive?.(!lingers);
  };
  const lingering = defer(() => {
    setLingering(true);
    return timerOn(platform.clock, lingerMs, { background: true }).pipe(finalize(() => setLingering(false)));
  });
  const hasEnded = (): boolean => ['failed', 'closed'].includes(connection.states.value._tag);
  const resumed = new Subject<void>();
  const closed = connection.states.pipe(filter(({ _tag }) => _tag === 'closed'));
  /** One socket for all subscribers; where it has failed, or is closed, nothing is left that could linger. */
  const connected = connection.held.pipe(
    takeUntil(closed),
    share({ resetOnRefCountZero: () => (hasEnded() ? of(undefined) : lingering) }),
  );

  return {
    frames: merge(live, connected),
    ...jobListeners(jobs, followed),
    // Jobs outlive a failed connection: polling goes on, and `resume` may bring the socket back.
    connected: concat(
      connected.pipe(retry({ delay: () => merge(resumed, closed) })),
      throwError(() => serviceError('Closed', {})),
    ).pipe(share()),
    states: connection.states,
    get clientId() {
      return connection.clientId;
    },
    get hasFailed() {
      return connection.hasFailed;
    },
    wake: connection.wake,
    get openedAt() {
      return openedAt;
    },
    queueLengths: reader.queueLengths,
    get messages() {
      return reader.messages;
    },
    get framesOfJobs() {
      return jobs.received;
    },
    reconnect: () => {
      if (connection.states.value._tag === 'open') socket?.close(true);
    },
    reopen: connection.reopen,
    expect: reader.expect,
    resume: () => {
      connection.resume();
      resumed.next();
    },
    close: () => {
      if (connection.states.value._tag === 'closed') return;
      connection.states.next({ _tag: 'closed' });
      live.complete();
      // A peer that does not answer the closing handshake would hold the socket for half a minute.
      socket?.close(true);
    },
  };
};

/** Adds the listeners of jobs, and reports the first one of a job and the departure of its last. */
const jobListeners = (
  jobs: Routes,
  followed: FrameSourceOptions['followed'],
): Pick<FrameSource, 'listen' | 'unlisten'> => ({
  listen: (listener) => {
    const isFirst = !jobs.has(listener.promptId);
    jobs.add(listener);
    if (isFirst) followed?.(listener.promptId, true);
  },
  unlisten: (listener) => {
    const { promptId } = listener;
    const wasFollowed = jobs.has(promptId);
    jobs.remove(listener);
    if (wasFollowed && !jobs.has(promptId)) followed?.(promptId, false);
  },
});

const tooLarge = (most = 0): Malformed =>
  malformed(`the message has more than ${most} bytes, the bound of maxMessageBytes`, most, '');

import { startedJobs } from './started-jobs.js';
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
import { earlyMessages } from './early-messages.js';
import type { ConnectionState } from './connection-state.js';
import { decodeFrame, type DecodeFrameOptions } from '../protocol/frames/decode-frame.js';
import { type EventFrame, type Frame, malformed, type Malformed } from '../protocol/frames/frame.js';
import { type FrameListener, routes } from './route.js';
import { mayEndOthers, queueLength } from '../protocol/attribution/ends-others.js';
import { peekOwner } from '../protocol/attribution/peek-owner.js';
import { reconnecting, type ReconnectOptions } from './reconnect.js';
import type { RedactValue } from '../redaction/redact-value.js';
import { serviceError } from '../errors/service-error.js';
import { timerOn } from '../platform/timer.js';
import type { SocketData } from './open-socket.js';
import { withoutSecrets } from './redact-frames.js';

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
  readonly recycle: () => void;
  /** Replaces the socket, open or connecting, by one with a new address; does nothing without subscribers. */
  readonly reopen: () => void;
  /** Begins keeping the frames of jobs that have no listener yet. */
  readonly expect: () => Expectation;
  /** Forgets why the connection failed, and connects again where it still has subscribers. */
  readonly resume: () => void;
  /** Ends everything at once: `frames` completes, and `connected` errors with `Closed`. */
  readonly close: () => void;
}

/** Frames that arrived before their job was named. */
export interface Expectation {
  /** What arrived for this job since `expect`, decoded now; call it in the same turn as `listen`. */
  readonly claim: (promptId: string) => readonly Frame[];
  /** Says how many messages of this job came since `expect` and were too many to keep; undefined where none were. */
  readonly dropped: (promptId: string) => string | undefined;
  /** Prompt ids that started meanwhile and have no listener here. */
  readonly foreignJobs: () => readonly string[];
  readonly end: () => void;
}

/** What {@link frameSource} needs. */
export interface FrameSourceOptions extends Pick<ReconnectOptions, 'headers' | 'maxMessageBytes'> {
  readonly url: (clientId: string) => string;
  /** Whether the server runs one job at a time, so that the start of one ends the others; default false. */
  readonly oneJobAtOnce?: boolean;
  /** Whether a socket takes the client id of the one before, as the server sends a job's events to one id; default false. */
  readonly keepsClientId?: boolean;
  /** How many bytes of messages an expectation keeps; default 32 MiB. */
  readonly earlyBytes?: number | undefined;
  /** How long the socket outlives its last subscriber. */
  readonly lingerMs: number;
  /** Asks over REST with which status the service refuses this client, if it does; see `ReconnectOptions`. */
  readonly refusal?: (isHidden: boolean) => Promise<number | undefined>;
  /** Called where a socket's first message gives the socket an id, as a local server's does. */
  readonly greeted?: () => void;
  /** Called with a job that gets its first listener, and once it has none any more. */
  readonly followed?: (promptId: string, isFollowed: boolean) => void;
  /** Takes secrets out of what is shown of a malformed frame. */
  readonly redact?: (text: string) => string;
  /** Takes secrets out of every other frame. */
  readonly redactValue?: RedactValue;
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
    greeted,
    followed,
    redact,
    redactValue,
  }: FrameSourceOptions,
): FrameSource => {
  const live = new Subject<Frame>();
  const jobs = routes(oneJobAtOnce);
  const queueLengths = new Subject<number>();
  /** `promptText` is what the socket that is open has announced. */
  let options: DecodeFrameOptions = { redact };
  const decode = (data: SocketData): Frame => withoutSecrets(data, decodeFrame(data, options), redactValue);
  const early = earlyMessages(decode, { oneAtOnce: oneJobAtOnce, maxBytes: earlyBytes });
  /** Apart from the early messages, which are bounded. */
  const started = startedJobs();
  let socket: SocketHandle | undefined;
  let openedAt = Infinity;
  let isLingering = false;
  let isFirst = false;
  let messages = 0;

  const receive = (data: SocketData): void => {
    const isGreeting = isFirst && typeof data === 'string' && data.includes('"sid"');
    isFirst = false;
    if (isGreeting) greeted?.();
    else messages += 1;
    const isWanted = live.observed || (oneJobAtOnce && mayEndOthers(data));
    const owner = isWanted ? undefined : peekOwner(data, options.promptText);
    if (owner !== undefined && owner.promptId === undefined) return;
    const kept = early.keep(data);
    if (owner?.promptId !== undefined && !jobs.has(owner.promptId)) {
      jobs.pass(owner.promptId);
      return;
    }
    const frame = decode(data);
    if (kept !== undefined) kept.frame = frame;
    if (frame._tag === 'Event') readOwnEvent(frame);
    jobs.deliver(frame);
    const length = oneJobAtOnce && !isGreeting ? queueLength(frame) : undefined;
    if (length !== undefined) queueLengths.next(length);
    live.next(frame);
  };

  /** Reads the events that concern the source itself. */
  const readOwnEvent = (event: EventFrame): void => {
    if (event.type === 'feature_flags') {
      messages -= 1;
      options = { redact, promptText: event.data['supports_progress_text_metadata'] === true };
    } else if (event.type === 'execution_start' && event.promptId !== undefined) {
      started.add(event.promptId);
    }
  };

  const connection = reconnecting(platform, {
    url,
    headers,
    keepsId: keepsClientId,
    refusal,
    maxMessageBytes,
    tooLarge: () => live.next(tooLarge(maxMessageBytes)),
    received: receive,
    opened: (opened) => {
      options = { redact };
      jobs.forget();
      isFirst = true;
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
    // Jobs outlive a failed connection: polling goes on, and `resume` may bring the socket back.
    connected: concat(
      connected.pipe(retry({ delay: () => merge(resumed, closed) })),
      throwError(() => serviceError('Closed', {})),
    ),
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
    queueLengths: queueLengths.asObservable(),
    get messages() {
      return messages;
    },
    get framesOfJobs() {
      return jobs.received;
    },
    recycle: () => {
      if (connection.states.value._tag === 'open') socket?.close(true);
    },
    reopen: connection.reopen,
    expect: () => {
      const endClaims = early.begin();
      const since = started.since();
      return {
        claim: early.of,
        dropped: early.dropped,
        foreignJobs: () => since.ids().filter((promptId) => !jobs.has(promptId)),
        end: () => {
          since.end();
          endClaims();
        },
      };
    },
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

const tooLarge = (most = 0): Malformed =>
  malformed(`the message has more than ${most} bytes, the bound of maxMessageBytes`, most, '');

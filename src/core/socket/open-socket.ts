import type {
  CancelTimer,
  Clock,
  Platform,
  SocketEnd,
  SocketHandle,
  SocketListener,
  SocketOptions,
} from '../platform/platform.js';
import type { Either } from '../protocol/either.js';
import { Observable } from 'rxjs';
import type { ServiceError } from '../errors/errors.js';

/** What a socket carries: text as a string, a binary message as the buffer that the platform handed over. */
export type SocketData = string | ArrayBuffer;

/** How the error of {@link openSocket} says why the socket is over. */
export class SocketClosed extends Error {
  override readonly name = 'SocketClosed';
  readonly end: SocketEnd;

  constructor(end: SocketEnd, reason = `the socket closed (${end.errorCode ?? end.status ?? end.code})`) {
    super(reason);
    this.end = end;
  }
}

/** Options of {@link openSocket}. */
export interface OpenSocketOptions {
  /** Called once when the handshake is done: the place to say the first word. */
  readonly opened: (socket: SocketHandle) => void;
  /** The client's own headers for the handshake; Left ends the socket before anything was sent. */
  readonly headers?: (() => Either<ServiceError, SocketOptions['headers']>) | undefined;
  /** Takes each message. */
  readonly received: (data: SocketData) => void;
  /** Largest message in bytes; default that of the platform. */
  readonly maxMessageBytes?: number | undefined;
  /** Called where a message was larger, and is lost. */
  readonly tooLarge?: (() => void) | undefined;
  /** How long the handshake may take; default 10 000. */
  readonly handshakeMs?: number;
}

/**
 * The life of one WebSocket as a cold stream, whose messages go to `received` by a plain call: operators on their way
 * would cost as much as decoding them.
 *
 * Subscribing opens it; it neither emits nor completes: every end, also a clean one, errors with {@link SocketClosed},
 * because the client did not ask for it. A handshake that takes longer than `handshakeMs` and a peer that no longer answers
 * pings end it too. Unsubscribing closes it in any state; a socket that opens afterwards is closed.
 */
export const openSocket = (
  platform: Platform,
  url: string,
  { opened, received, headers, maxMessageBytes, tooLarge, handshakeMs = 10_000 }: OpenSocketOptions,
): Observable<never> =>
  new Observable((subscriber) => {
    // A subscriber that saw the state `connecting` may have left by then.
    if (subscriber.closed) return undefined;
    const own = headers?.();
    if (own?._tag === 'Left') {
      subscriber.error(new SocketClosed({ code: 1006, reason: '', errorCode: 'EHEADERS', final: own.left }));
      return undefined;
    }
    let signsOfLife = 0;
    let unresponsive = false;
    let why: string | undefined;
    let stopLiveness = (): void => undefined;

    const end = (reason: SocketEnd): void => {
      release();
      subscriber.error(new SocketClosed(reason, why));
    };
    const listener: SocketListener = {
      opened: () => {
        cancelHandshake();
        if (subscriber.closed) return;
        stopLiveness = startLiveness(platform.clock, socket, () => signsOfLife);
        opened(socket);
      },
      message: (data) => {
        signsOfLife += 1;
        if (!subscriber.closed) received(data);
      },
      alive: () => {
        signsOfLife += 1;
      },
      tooLarge: () => {
        why = `a message had more than ${maxMessageBytes ?? 'so many'} bytes, the bound of maxMessageBytes`;
        if (!subscriber.closed) tooLarge?.();
      },
      closed: end,
    };
    const socket = platform.openSocket(url, listener, { headers: own?.right, maxMessageBytes });
    const cancelHandshake = platform.clock.after(handshakeMs, () => {
      unresponsive = true;
      end({ code: 1006, reason: '', errorCode: 'ETIMEDOUT' });
    });
    const release = (): void => {
      cancelHandshake();
      stopLiveness();
    };

    return () => {
      release();
      socket.close(unresponsive);
    };
  });

const tickMs = 5_000;
const pingEveryMs = 25_000;
const answerWithinMs = 10_000;
/** A tick that comes this late shows that the machine slept or the program was busy. */
const sleptMs = 10_000;

/**
 * Ends a socket whose peer has gone without a word, within 40 s.
 *
 * Every 25 s the peer is pinged; when nothing at all has arrived 10 s later the socket is closed. Only what was received
 * counts as life. A machine that slept is noticed by either clock, monotonic or wall, having run ahead of the ticks:
 * the socket is closed then, and a new one finds out what was missed. Where the platform can't ping, a
 * silent job asks over REST instead.
 *
 * @param received how many messages and pongs have arrived so far
 */
export const startLiveness = (clock: Clock, socket: SocketHandle, received: () => number): CancelTimer => {
  let cancel: CancelTimer;
  let sinceProbe = 0;
  let receivedAtPing: number | undefined;

  const tick = (now: number, wall: number): void => {
    cancel = clock.after(
      tickMs,
      () => {
        const passed = Math.max(clock.now() - now, clock.wall() - wall);
        if (passed >= tickMs + sleptMs || probe()) socket.close(true);
        else tick(clock.now(), clock.wall());
      },
      { background: true },
    );
  };
  /** Pings when it is time to, and returns whether a ping went without any answer. */
  const probe = (): boolean => {
    sinceProbe += tickMs;
    if (receivedAtPing !== undefined && sinceProbe >= answerWithinMs) {
      if (received() === receivedAtPing) return true;
      receivedAtPing = undefined;
    }
    if (socket.ping !== undefined && sinceProbe >= pingEveryMs) {
      receivedAtPing = received();
      sinceProbe = 0;
      socket.ping();
    }
    return false;
  };

  tick(clock.now(), clock.wall());
  return () => cancel();
};

import { BehaviorSubject, finalize, map, type Observable } from 'rxjs';
import type { ConnectionState } from '../protocol/connection-state.js';
import { backoff } from '../protocol/backoff.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import { defer } from '../streams/defer.js';
import { fromPromise } from '../streams/from-promise.js';
import { mergeMap } from '../streams/merge-map.js';
import { of } from '../streams/of.js';
import { throwError } from '../streams/throw-error.js';
import { after } from './after.js';
import { again } from './again.js';
import { fatalEnd } from './fatal-end.js';
import { openSocket, type OpenSocketOptions, SocketClosed } from './open-socket.js';
import type { CancelTimer, Platform, SocketEnd, SocketHandle } from './platform.js';

const stableAfterMs = 10_000;
const suspendedAfterMs = 120_000;

/** A connection that survives the end of any one socket. */
export interface Reconnecting {
  /**
   * Cold: keeps a socket open while it is subscribed to, each subscription its own; never emits, and errors with a
   * `ServiceError` only for a fatal cause.
   */
  readonly held: Observable<never>;
  /** Where the connection stands, replayed. */
  readonly states: BehaviorSubject<ConnectionState>;
  /** Forgets a fatal cause, so that the next subscription connects again. */
  readonly resume: () => void;
}

/** What {@link reconnecting} needs. */
export interface ReconnectOptions extends Pick<OpenSocketOptions, 'received' | 'wants'> {
  /** The address for a socket with this id; called for each socket, with a fresh UUID. */
  readonly url: (clientId: string) => string;
  /** Called when a socket has opened, before anything was sent. */
  readonly opened: (socket: SocketHandle, clientId: string) => void;
  /** Asks over REST with which status the service refuses this client; asked where a handshake failed and didn't say. */
  readonly refusal?: () => Promise<number | undefined>;
}

/**
 * Opens a socket, and another one whenever it ends, with full jitter (0 to 30 s, growing from 1 s).
 *
 * The count of attempts starts anew once a socket has lived for 10 s. After two minutes without a socket the state is
 * `suspended`; the attempts go on. A refused handshake whose status says that no attempt can succeed (auth, billing,
 * wrong address) ends it: `failed`, until `resume`; so does what the platform calls final, unless a socket was open before.
 * Where the platform hides the status, REST is asked once for it.
 */
export const reconnecting = (
  platform: Platform,
  { url, opened, refusal = () => Promise.resolve(undefined), ...incoming }: ReconnectOptions,
): Reconnecting => {
  const { clock } = platform;
  const states = new BehaviorSubject<ConnectionState>({ _tag: 'idle' });
  let fatal: ServiceError | undefined;
  let wasOpen = false;

  const held = defer(() => {
    if (fatal !== undefined) return throwError(() => fatal);
    let attempt = 0;
    let downSince = clock.now();

    const one = defer(() => {
      const clientId = platform.uuid();
      let cancelStable: CancelTimer | undefined;
      states.next({ _tag: 'connecting', attempt });
      return openSocket(platform, url(clientId), {
        ...incoming,
        opened: (socket) => {
          wasOpen = true;
          cancelStable = clock.after(stableAfterMs, () => (attempt = 0), { background: true });
          opened(socket, clientId);
          states.next({ _tag: 'open', clientId });
        },
      }).pipe(finalize(() => cancelStable?.()));
    });

    /** The end with the status that a page can't see, as far as a question over REST can tell it. */
    const withStatus = (end: SocketEnd): Observable<SocketEnd> => {
      const hidden =
        end.status === undefined && end.errorCode === undefined && states.value._tag === 'connecting';
      return hidden && attempt === 0
        ? fromPromise(refusal).pipe(map((status) => ({ ...end, status })))
        : of(end);
    };
    const nextAttempt = (end: SocketEnd, reason: string): Observable<unknown> => {
      const found = fatalEnd(end, attempt, wasOpen);
      if (found !== undefined) {
        fatal = found.error;
        states.next({ _tag: 'failed', cause: found.cause, reason: found.error.message });
        return throwError(() => found.error);
      }
      const delayMs = backoff(attempt, platform.random());
      attempt += 1;
      states.next(
        clock.now() - downSince >= suspendedAfterMs
          ? { _tag: 'suspended', attempt, reason }
          : { _tag: 'waiting', attempt, delayMs, reason },
      );
      return after(clock, delayMs);
    };

    return one.pipe(
      again((error) => {
        if (!(error instanceof SocketClosed)) return throwError(() => error);
        if (states.value._tag === 'open') downSince = clock.now();
        return withStatus(error.end).pipe(mergeMap((end) => nextAttempt(end, error.message)));
      }),
      finalize(() => {
        if (states.value._tag !== 'failed' && states.value._tag !== 'closed') states.next({ _tag: 'idle' });
      }),
    );
  });

  return {
    held,
    states,
    resume: () => {
      fatal = undefined;
      if (states.value._tag === 'failed') states.next({ _tag: 'idle' });
    },
  };
};

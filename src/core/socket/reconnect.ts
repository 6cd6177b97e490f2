import {
  BehaviorSubject,
  defer,
  finalize,
  from,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  retry,
  Subject,
  tap,
  throwError,
} from 'rxjs';
import type { ConnectionState } from './connection-state.js';
import { backoff } from '../platform/backoff.js';
import type { ServiceError } from '../errors/errors.js';
import { type FatalEnd, fatalEnd, isRefusedEnd } from './fatal-end.js';
import { openSocket, type OpenSocketOptions, SocketClosed } from './open-socket.js';
import type { CancelTimer, Platform, SocketEnd, SocketHandle } from '../platform/platform.js';
import { timerOn } from '../platform/timer.js';

const stableAfterMs = 10_000;
const suspendedAfterMs = 120_000;
/** The least wait after a refusal that REST does not confirm, and the backoff that is added to it. */
const refusedForMs = 5_000;
const refusedBackoff = { baseMs: 10_000, capMs: 300_000 };

/** A connection that survives the end of any one socket. */
export interface Reconnecting {
  /**
   * Cold: keeps a socket open while it is subscribed to, each subscription its own; never emits, and errors with a
   * `ServiceError` only for a fatal cause.
   */
  readonly held: Observable<never>;
  /** Where the connection stands, replayed. */
  readonly states: BehaviorSubject<ConnectionState>;
  /** The id of the socket that is open, or that the next attempt takes. */
  readonly clientId: string;
  /** Whether the latest attempt failed, or the peer refused the socket that it opened: another one hardly fares better at once. */
  readonly hasFailed: boolean;
  /** Ends a wait for the next attempt. */
  readonly wake: () => void;
  /** Forgets a fatal cause, so that the next subscription connects again; a wait for the next attempt ends at once. */
  readonly resume: () => void;
  /** Replaces the socket, open or connecting, by a new one at once; does nothing without subscribers. */
  readonly reopen: () => void;
}

/** The addresses of the sockets, and who hears of them and of their messages. */
export interface ReconnectOptions extends Pick<
  OpenSocketOptions,
  'received' | 'headers' | 'maxMessageBytes' | 'tooLarge'
> {
  /** The address for a socket with this id. */
  readonly url: (clientId: string) => string;
  /**
   * Whether a socket takes the id of the one before where that one is surely gone at the peer; default false: each has a
   * fresh UUID.
   */
  readonly keepsId?: boolean;
  /** Called when a socket has opened, before anything was sent. */
  readonly opened: (socket: SocketHandle, clientId: string) => void;
  /**
   * Asks over REST with which status the service refuses this client, if it does; `isHidden` where the platform hid the status
   * of a handshake, so that it may not have been refused at all.
   */
  readonly refusal?: (isHidden: boolean) => Promise<number | undefined>;
  /** Whether the service has accounts, so that 402 and 429 may speak of a plan; default true. */
  readonly hasAccount?: boolean | undefined;
  /** Takes secrets out of the address that a handshake was redirected to. */
  readonly redact?: ((text: string) => string) | undefined;
}

/**
 * Opens a socket, and another one whenever it ends, with full jitter (0 to 30 s, growing from 1 s).
 *
 * The count of attempts starts anew once a socket has lived for 10 s. After two minutes without a socket the state is
 * `suspended`; the attempts go on. A refused handshake whose status says that no attempt can succeed (billing, wrong
 * address) ends it: `failed`, until `resume`; so does what the platform calls final, unless a socket was open before.
 *
 * A refusal of the key, or a 429, may be a stray page, and a close code says little: REST is asked, and where it refuses as
 * well the state is `failed`; so it is, where there are accounts, after three handshakes in a row that were answered with 429. Else the next attempt
 * follows after 5 to 15 s, growing to 5 minutes. Where the platform hides the status, REST is asked once for it.
 *
 * With `keepsId` a socket takes the id of the one before it only where the peer ended that one or refused it: two sockets
 * with one id would deafen each other.
 */
export const reconnecting = (
  platform: Platform,
  {
    url,
    opened,
    keepsId = false,
    refusal = () => Promise.resolve(undefined),
    hasAccount = true,
    redact = (text) => text,
    ...incoming
  }: ReconnectOptions,
): Reconnecting => {
  const { clock } = platform;
  const states = new BehaviorSubject<ConnectionState>({ _tag: 'idle' });
  const reopenings = new Subject<void>();
  let fatal: ServiceError | undefined;
  let wasOpen = false;
  let hasFailed = false;
  let id: string | undefined;
  const nextId = (): string => (id ??= platform.uuid());
  const woken = new Subject<void>();

  const held = defer(() => {
    if (fatal !== undefined) return throwError(() => fatal);
    let attempt = 0;
    /** Refusals in a row that REST did not confirm. */
    let refusals = 0;
    let downSince = clock.now();
    const restart = (): void => {
      attempt = 0;
      refusals = 0;
    };

    const one = defer(() => {
      const clientId = nextId();
      let cancelStable: CancelTimer | undefined;
      states.next({ _tag: 'connecting', attempt });
      const socket = openSocket(platform, url(clientId), {
        ...incoming,
        opened: (handle) => {
          wasOpen = true;
          hasFailed = false;
          cancelStable = clock.after(stableAfterMs, restart, { background: true });
          opened(handle, clientId);
          states.next({ _tag: 'open', clientId });
        },
      });
      const reopened = reopenings.pipe(mergeMap(() => throwError(() => new Reopened())));
      return merge(socket, reopened).pipe(finalize(() => cancelStable?.()));
    });

    /** The end with the status that a page can't see, where a question over REST finds it. */
    const withHiddenStatus = (end: SocketEnd): Observable<SocketEnd> => {
      const hidden =
        end.status === undefined && end.errorCode === undefined && states.value._tag === 'connecting';
      return hidden && attempt === 0
        ? from(refusal(true)).pipe(map((status) => ({ ...end, status })))
        : of(end);
    };
    const fail = ({ cause, error }: FatalEnd): Observable<never> => {
      fatal = error;
      states.next({ _tag: 'failed', cause, reason: error.message });
      return throwError(() => error);
    };
    const wait = (delayMs: number, reason: string): void => {
      attempt += 1;
      states.next(
        clock.now() - downSince >= suspendedAfterMs
          ? { _tag: 'suspended', attempt, reason }
          : { _tag: 'waiting', attempt, delayMs, reason },
      );
    };
    const waitNoLonger = ({ message }: Reopened): void =>
      states.next({ _tag: 'waiting', attempt, delayMs: 0, reason: message });
    const nextAttempt = (end: SocketEnd, reason: string): Observable<unknown> => {
      const found = fatalEnd(end, attempt, wasOpen, hasAccount);
      if (found !== undefined) return fail(found);
      const delayMs = backoff(attempt, platform.random());
      wait(delayMs, reason);
      return merge(timerOn(clock, delayMs), woken);
    };
    const afterRefusal = (end: SocketEnd, reason: string): Observable<unknown> => {
      const delayMs = refusedForMs + backoff(refusals, platform.random(), refusedBackoff);
      const startedAt = clock.now();
      refusals += 1;
      wait(delayMs, reason);
      return from(refusal(false)).pipe(
        mergeMap((confirmed) => {
          const status =
            confirmed ?? (hasAccount && end.status === 429 && refusals >= 3 ? end.status : undefined);
          const found =
            status === undefined ? undefined : fatalEnd({ ...end, status }, attempt, wasOpen, hasAccount);
          return found === undefined
            ? timerOn(clock, Math.max(0, delayMs - (clock.now() - startedAt)))
            : fail(found);
        }),
      );
    };

    return one.pipe(
      retry({
        delay: (error: unknown) => {
          if (error instanceof Reopened) {
            restart();
            hasFailed = false;
            id = undefined;
            downSince = clock.now();
            waitNoLonger(error);
            return of(undefined);
          }
          if (!(error instanceof SocketClosed)) return throwError(() => error);
          hasFailed = states.value._tag !== 'open' || isRefusedEnd(error.end, hasAccount);
          if (states.value._tag === 'open') downSince = clock.now();
          if (!keepsId || !isGone(error.end)) id = undefined;
          const { message } = error;
          const { location } = error.end;
          const end = location === undefined ? error.end : { ...error.end, location: redact(location) };
          const next = isRefusedEnd(end, hasAccount)
            ? afterRefusal(end, message)
            : withHiddenStatus(end).pipe(mergeMap((known) => nextAttempt(known, message)));
          const reopened = reopenings.pipe(
            tap(() => {
              restart();
              // While REST is asked why a handshake failed the state is still that of the handshake.
              if (states.value._tag === 'connecting') waitNoLonger(new Reopened());
            }),
          );
          return merge(next, reopened);
        },
      }),
      finalize(() => {
        id = undefined;
        if (states.value._tag !== 'failed' && states.value._tag !== 'closed') states.next({ _tag: 'idle' });
      }),
    );
  });

  return {
    held,
    states,
    get clientId() {
      return nextId();
    },
    get hasFailed() {
      return hasFailed;
    },
    wake: () => woken.next(),
    resume: () => {
      fatal = undefined;
      hasFailed = false;
      const { _tag } = states.value;
      if (_tag === 'failed') states.next({ _tag: 'idle' });
      if (_tag === 'waiting' || _tag === 'suspended') reopenings.next();
    },
    reopen: () => reopenings.next(),
  };
};

/** Ends a socket that is to be replaced. */
class Reopened extends Error {
  constructor() {
    super('the socket is opened anew');
  }
}

/** Whether the peer surely holds no socket under that id any more: it ended it, or never took it. */
const isGone = ({ byPeer, status, errorCode }: SocketEnd): boolean =>
  byPeer === true || status !== undefined || errorCode === 'ECONNREFUSED';

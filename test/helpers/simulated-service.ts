import type {
  HttpRequest,
  HttpResponse,
  Platform,
  SocketListener,
} from '../../src/core/platform/platform.js';
import { type VirtualClock, virtualClock } from '../../src/testing/virtual-clock.js';

/** What becomes of one socket. */
export interface SocketFate {
  readonly afterMs: number;
  /** It opens, is refused by the network or with a status, or nothing ever comes back. */
  readonly how: 'opens' | 'refused' | 'hangs' | 401 | 402 | 503;
  /** How long it carries messages once it is open. */
  readonly livesMs: number;
  /** How it is over then: with an end, or without a word and without pongs. */
  readonly ends: boolean;
}

/** What becomes of one request. */
export interface RequestFate {
  readonly afterMs: number;
  /** How much later than it acts the service answers; default 0. */
  readonly answerMs?: number;
  readonly how:
    | 'answered'
    /** Not a byte of it left. */
    | 'unreachable'
    /** Cut before or after the service acted. */
    | 'cut before'
    | 'cut after'
    /** No answer ever comes; the service acted or not. */
    | 'hangs before'
    | 'hangs after'
    /** The service acted and then failed. */
    | 'fails after'
    | 'fails before'
    | 'throttled'
    /** The service acted, and the answer is no JSON. */
    | 'garbled';
}

/** What the service does with a request that reaches it. */
export type Handler = (request: HttpRequest) => { readonly status?: number; readonly body?: unknown };

/** A service and a network in memory and virtual time, whose faults are data. */
export interface SimulatedService {
  readonly platform: Platform;
  readonly clock: VirtualClock;
  readonly requests: readonly HttpRequest[];
  /** Sends to the socket that is open and alive now; without one it is lost. */
  readonly send: (message: unknown) => void;
  /** Calls on the service's own clock, which no count includes. */
  readonly at: (ms: number, work: () => void) => void;
  /** What the client holds: sockets that are not closed, timers, requests that it waits for. */
  readonly held: () => {
    readonly sockets: number;
    readonly timers: number;
    readonly requests: number;
  };
}

/** Fates are taken in turn, one for each socket and one for each request; after the last one all is well. */
export interface SimulationOptions {
  readonly sockets: readonly SocketFate[];
  readonly requests: (request: HttpRequest) => RequestFate | undefined;
  readonly handle: Handler;
}

const fine: SocketFate = { afterMs: 5, how: 'opens', livesMs: Infinity, ends: true };

export const simulatedService = ({ sockets, requests, handle }: SimulationOptions): SimulatedService => {
  const clock = virtualClock();
  const sent: HttpRequest[] = [];
  const at = (ms: number, work: () => void): void => {
    if (ms < Infinity) clock.after(ms, work);
  };

  let timers = 0;
  const after: Platform['clock']['after'] = (delayMs, work) => {
    let set = true;
    const done = (): void => {
      if (set) timers -= 1;
      set = false;
    };
    timers += 1;
    const cancel = clock.after(delayMs, () => {
      done();
      work();
    });
    return () => {
      done();
      cancel();
    };
  };

  let opened = 0;
  let openSockets = 0;
  let deliver: ((text: string) => void) | undefined;
  const openSocket: Platform['openSocket'] = (_url, listener) => {
    const fate = sockets[opened] ?? fine;
    opened += 1;
    openSockets += 1;
    return socketOf(fate, listener, at, {
      over: () => (openSockets -= 1),
      carries: (to) => (deliver = to),
    });
  };

  let waiting = 0;
  const request: Platform['request'] = (asked) =>
    new Promise((resolve, reject) => {
      sent.push(asked);
      waiting += 1;
      const settled = once(() => (waiting -= 1));
      asked.signal?.addEventListener('abort', settled, { once: true });
      const { afterMs, answerMs = 0, how } = requests(asked) ?? { afterMs: 5, how: 'answered' };
      const fail = (code: string, left: boolean): void => {
        settled();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a platform rejects with plain objects
        reject({ code, message: 'simulated', sent: left });
      };
      const answer = (status: number, body: unknown, headers = {}): void => {
        settled();
        resolve(responseOf(status, body, headers));
      };
      if (how === 'unreachable') {
        at(afterMs, () => fail('ECONNREFUSED', false));
        return;
      }
      asked.onSent?.();
      at(afterMs, () => {
        const acted = how === 'answered' || how === 'garbled' || how.endsWith('after') ? handle(asked) : {};
        if (how.startsWith('hangs')) return;
        at(answerMs, () => {
          if (how.startsWith('cut')) fail('ECONNRESET', true);
          else if (how.startsWith('fails')) answer(500, { message: 'it broke' });
          else if (how === 'garbled') answer(200, '<html>');
          else if (how === 'throttled') {
            answer(429, { error: { type: 'RATE_LIMITED', message: 'slower' } }, { 'retry-after': '3' });
          } else answer(acted.status ?? 200, acted.body);
        });
      });
    });

  let ids = 0;
  return {
    platform: {
      clock: { ...clock, after },
      random: () => 0.5,
      uuid: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
      openSocket,
      request,
    },
    clock,
    requests: sent,
    send: (message) => deliver?.(typeof message === 'string' ? message : JSON.stringify(message)),
    at,
    held: () => ({ sockets: openSockets, timers, requests: waiting }),
  };
};

const socketOf = (
  { afterMs, how, livesMs, ends }: SocketFate,
  listener: SocketListener,
  at: SimulatedService['at'],
  { over, carries }: { over: () => void; carries: (to: ((text: string) => void) | undefined) => void },
): ReturnType<Platform['openSocket']> => {
  let isOver = false;
  let isAlive = false;
  const end = (reason: object): void => {
    if (isOver) return;
    isOver = true;
    if (isAlive) carries(undefined);
    isAlive = false;
    over();
    listener.closed({ code: 1006, reason: '', ...reason });
  };
  at(afterMs, () => {
    if (isOver || how === 'hangs') return;
    if (how !== 'opens') {
      end(how === 'refused' ? { errorCode: 'ECONNREFUSED' } : { status: how });
      return;
    }
    isAlive = true;
    carries((text) => listener.message(text));
    listener.opened();
    at(livesMs, () => {
      if (isAlive) carries(undefined);
      isAlive = false;
      if (ends) end({});
    });
  });
  return {
    send: () => undefined,
    ping: () => at(1, () => isAlive && listener.alive()),
    close: () => end({ code: 1000 }),
  };
};

const responseOf = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): HttpResponse => {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    // eslint-disable-next-line @typescript-eslint/require-await -- a body is an async iterable
    body: (async function* () {
      yield bytes;
    })(),
    discard: () => undefined,
  };
};

const once = (work: () => void): (() => void) => {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
};

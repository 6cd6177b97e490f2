import type { HttpRequest, HttpResponse, SocketEnd } from '../../../src/core/platform/platform.js';
import type { Ledger } from '../ledger.js';
import type { Network } from '../network.js';
import { randomOf } from '../random.js';
import type { SimClock } from '../sim-clock.js';
import type { HandshakeFate, SendOptions, SimSocket, SimSockets } from '../sim-sockets.js';
import { bytesOfEvent, keepAlive } from './event-bytes.js';
import { bearerOf } from './v2-route-of.js';
import { pushedBody } from './pushed-body.js';
import { refusalOf } from './v2-documents.js';
import type { Answer } from '../sim-rest.js';
import type { V2Event } from './v2-events.js';

/** One stream of events that is open. */
export interface V2Stream {
  readonly promptId: string;
  readonly tell: (event: V2Event, options?: SendOptions) => void;
  /** Ends it as the service does, behind all that is on its way. */
  readonly finish: (delayMs?: number) => void;
}

/** The streams of one client, which faults reach as they reach sockets. */
export interface V2Streams {
  readonly sockets: SimSockets;
  readonly request: (asked: HttpRequest, promptId: string) => Promise<HttpResponse>;
  readonly of: (promptId: string) => readonly V2Stream[];
}

/** What the streams need to know. */
export interface V2StreamsOptions {
  readonly seed: number;
  readonly clock: SimClock;
  readonly network: Network;
  readonly ledger: Ledger;
  readonly knows: (key: string | null) => boolean;
  /** Why there is no stream of a job, where there is none. */
  readonly refusal: (promptId: string) => Answer | undefined;
  /** Called when a stream has opened. */
  readonly opened: (stream: V2Stream) => void;
}

/** The service writes a comment after so long without an event. */
const keepAliveMs = 15_000;

type Line = V2Stream & {
  carries: boolean;
  silent: boolean;
  isOver: boolean;
  readonly end: (reason: SocketEnd) => void;
};

/** Makes the service's side of all event streams of one client. */
export const v2Streams = ({
  seed,
  clock,
  network,
  ledger,
  knows,
  refusal,
  opened,
}: V2StreamsOptions): V2Streams => {
  const fates: HandshakeFate[] = [];
  let lines: Line[] = [];
  let held = 0;
  let count = 0;

  const open = (promptId: string, body: ReturnType<typeof pushedBody>): Line => {
    const random = randomOf(seed, 40, (count += 1));
    let lastAt = 0;
    const write = (bytes: readonly Uint8Array[], { delayMs = 0, heard }: SendOptions = {}): void => {
      if (line.silent || !line.carries || line.isOver || network.isDown()) return;
      lastAt = Math.max(lastAt, clock.now() + network.wayMs() + delayMs);
      clock.deliver(lastAt - clock.now(), () => {
        if (line.isOver || !line.carries) return;
        heard?.();
        for (const piece of bytes) body.push(piece);
      });
    };
    const over = (): void => {
      line.isOver = true;
      lines = lines.filter((other) => other !== line);
    };
    const line: Line = {
      promptId,
      carries: true,
      silent: false,
      isOver: false,
      tell: (event, options) => write(bytesOfEvent(event, random), options),
      finish: (delayMs = 0) =>
        clock.deliver(Math.max(lastAt - clock.now(), network.wayMs()) + delayMs, () => {
          if (line.isOver || !line.carries) return;
          over();
          body.end();
        }),
      end: ({ code, errorCode }) => {
        if (line.isOver) return;
        over();
        if (code === 1006) body.fail({ code: errorCode ?? 'ECONNRESET', message: 'simulated', sent: true });
        else body.end();
      },
    };
    body.left(() => {
      if (!line.isOver) over();
    });
    const beat = (): void =>
      clock.at(keepAliveMs, () => {
        if (line.isOver) return;
        write([keepAlive]);
        beat();
      });
    beat();
    lines.push(line);
    return line;
  };

  const request: V2Streams['request'] = (asked, promptId) =>
    new Promise((resolve, reject) => {
      const key = bearerOf(asked.headers) ?? null;
      const logged = { at: clock.now(), key, promptId, how: 'pending' };
      ledger.handshakes.push(logged);
      held += 1;
      let isSettled = false;
      const release = (): void => void (held -= 1);
      const settle = (work: () => void): void => {
        if (isSettled) return;
        isSettled = true;
        work();
      };
      const body = pushedBody(release);
      const abort = (): void => {
        settle(() => reject(asked.signal?.reason as Error));
        body.discard();
      };
      if (asked.signal?.aborted === true) {
        abort();
        return;
      }
      asked.signal?.addEventListener('abort', abort);
      body.left(() => asked.signal?.removeEventListener('abort', abort));
      const say = ({ status, headers = {}, body: content = '' }: Answer): void =>
        settle(() => {
          logged.how = String(status);
          body.push(
            new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content)),
          );
          body.end();
          resolve(responseOf(status, { 'content-type': 'application/json', ...headers }, body));
        });
      asked.onSent?.();
      clock.deliver(2 * network.wayMs(), () => {
        if (isSettled) return;
        const fate = fates.shift();
        fate?.hit();
        const how = fate?.how ?? (network.isDown() ? 'refused' : 'opens');
        logged.how = String(how);
        if (how === 'stalls') return;
        if (how === 'refused') {
          settle(() => {
            body.discard();
            // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a platform rejects with plain objects
            reject({ code: 'ECONNREFUSED', message: 'simulated', sent: false });
          });
          return;
        }
        if (typeof how === 'number') {
          say(how === 200 ? page : refusalOf(how, 'upstream_error'));
          return;
        }
        const refused = knows(key) ? refusal(promptId) : refusalOf(401, 'unauthorized');
        if (refused !== undefined) {
          say(refused);
          return;
        }
        settle(() => {
          const line = open(promptId, body);
          resolve(responseOf(200, { 'content-type': 'text/event-stream' }, body));
          opened(line);
          if (how === 'opens and dies') clock.deliver(50, () => line.end({ code: 1006, reason: '' }));
        });
      });
    });

  const live = (): SimSocket | undefined => {
    if (lines.length === 0) return undefined;
    const all = lines;
    return {
      key: null,
      clientId: null,
      state: 'open',
      number: count,
      openedAt: 0,
      send: () => false,
      get carries() {
        return all.every(({ carries }) => carries);
      },
      set carries(carries) {
        for (const line of all) line.carries = carries;
      },
      get silent() {
        return all.every(({ silent }) => silent);
      },
      set silent(silent) {
        for (const line of all) line.silent = silent;
      },
    };
  };

  return {
    request,
    of: (promptId) => lines.filter((line) => line.promptId === promptId),
    sockets: {
      open: () => {
        throw new Error('API v2 has no sockets');
      },
      send: () => false,
      end: (reason = {}) => {
        const ending = lines;
        for (const line of ending) clock.deliver(0, () => line.end({ code: 1006, reason: '', ...reason }));
        return ending.length > 0;
      },
      live,
      fates,
      held: () => held,
      opened: () => count,
      forget: () => undefined,
    },
  };
};

const page: Answer = { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' };

const responseOf = (
  status: number,
  headers: Readonly<Record<string, string>>,
  { iterable, discard }: ReturnType<typeof pushedBody>,
): HttpResponse => ({ status, headers, body: iterable, discard });

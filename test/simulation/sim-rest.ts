import type { HttpRequest, HttpResponse } from '../../src/core/platform/platform.js';
import { echo, echoingAnswer } from './echo.js';
import type { Aspect, Ledger, LoggedRequest, RouteName, StrayName, Untruth } from './ledger.js';
import type { Network } from './network.js';
import type { routeOf } from './route-of.js';
import type { SimClock } from './sim-clock.js';

/** What the service answers. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What becomes of a request instead of an answer; `acts` says whether the service did what was asked. */
export type RequestFate = RequestFault & { readonly isForGood?: true };

type RequestFault =
  | { readonly how: 'unsent' }
  | { readonly how: 'cut' | 'stalls' | 'drips' | 'breaks off'; readonly acts: boolean }
  | { readonly how: 'says'; readonly acts: boolean; readonly answer: Answer }
  | { readonly how: 'slow'; readonly ms: number };

/** A fault that waits for requests. */
export interface RequestRule {
  readonly matches: (request: LoggedRequest) => boolean;
  readonly fate: (request: LoggedRequest) => RequestFate;
  /** How many requests it still meets. */
  times: number;
  /** It meets none any more from this time on. */
  readonly until: number;
  readonly hit: () => void;
  /** It never ends, and the fault that strikes with it notes that in the ledger. */
  readonly isForGood?: true;
  /** Which answers about jobs it spoils, where it does. */
  readonly spoils?: Aspect;
  /** It is a single answer that no service gives. */
  readonly stray?: StrayName;
  /** From its first hit to its last one, no answer tells the truth. */
  untruth?: Untruth;
}

/** The REST side of the service, and the line to it. */
export interface SimRest {
  readonly request: (asked: HttpRequest) => Promise<HttpResponse>;
  readonly rules: RequestRule[];
  /** Requests without an answer and bodies that are neither read nor given up. */
  readonly held: () => number;
}

/** What REST needs to know. */
export interface RestOptions {
  readonly clock: SimClock;
  readonly network: Network;
  readonly ledger: Ledger;
  readonly routeOf: typeof routeOf;
  /** Which answers about jobs a route gives; default {@link aspectOf}. */
  readonly aspectOf?: (route: RouteName) => Aspect | undefined;
  /** Whether a request that arrives now finds no service. */
  readonly isDead: () => boolean;
  readonly handle: (request: LoggedRequest, asked: HttpRequest) => Answer;
  /** Called when a request leaves the client, and when its answer is there. */
  readonly left: (request: LoggedRequest) => void;
  readonly answered: (request: LoggedRequest, answer: Answer, isFaulty: boolean) => void;
}

/** Makes the service's side of all requests of one client. */
export const simRest = ({
  clock,
  network,
  ledger,
  routeOf: readRoute,
  aspectOf: readAspect = aspectOf,
  isDead,
  handle,
  left,
  answered,
}: RestOptions): SimRest => {
  const rules: RequestRule[] = [];
  let held = 0;

  const begun = (more: Pick<Untruth, 'of' | 'promptId'>): Untruth => {
    const untruth: Untruth = { from: clock.now(), until: Infinity, isFault: true, ...more };
    ledger.untruths.push(untruth);
    return untruth;
  };
  /** From when a request that meets a fault leaves to when the client is done with it. */
  const spoilt = ({ route, promptId }: LoggedRequest): Untruth | undefined => {
    const of = readAspect(route);
    return of === undefined ? undefined : begun({ of, ...(promptId === undefined ? {} : { promptId }) });
  };

  const fateOf = (request: LoggedRequest): RequestFate | undefined => {
    const rule = rules.find(
      ({ matches, times, until }) => times > 0 && clock.now() < until && matches(request),
    );
    if (rule === undefined) return undefined;
    rule.times -= 1;
    rule.hit();
    if (rule.stray !== undefined) request.stray = rule.stray;
    if (rule.isForGood === true) return { ...rule.fate(request), isForGood: true };
    if (rule.spoils !== undefined) {
      rule.untruth ??= begun({ of: rule.spoils });
      rule.untruth.until = clock.now();
    }
    return rule.fate(request);
  };

  const request = (asked: HttpRequest): Promise<HttpResponse> =>
    new Promise((resolve, reject) => {
      const logged: LoggedRequest = { at: clock.now(), fate: 'fine', ...readRoute(asked) };
      ledger.requests.push(logged);
      held += 1;
      let settled = false;
      const settle = (work: () => void): void => {
        if (settled) return;
        settled = true;
        held -= 1;
        logged.settledAt = clock.now();
        asked.signal?.removeEventListener('abort', abort);
        work();
      };
      const abort = (): void =>
        settle(() => {
          over();
          reject(asked.signal?.reason as Error);
        });
      const fail = (code: string, sent: boolean): void =>
        settle(() => {
          over();
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a platform rejects with plain objects
          reject({ code, message: `simulated: ${echo(logged.key, Math.round(logged.at))}`, sent });
        });
      let untruth: Untruth | undefined;
      const over = (): void => {
        if (untruth !== undefined) untruth.until = clock.now();
      };
      if (asked.signal?.aborted === true) {
        abort();
        return;
      }
      asked.signal?.addEventListener('abort', abort);

      left(logged);
      const fate: RequestFate | undefined = network.isDown() ? { how: 'unsent' } : fateOf(logged);
      logged.fate = fate?.how ?? 'fine';
      if (fate !== undefined && fate.isForGood !== true) untruth = spoilt(logged);
      if (fate?.how === 'unsent') {
        clock.deliver(network.wayMs(), () => fail('ECONNREFUSED', false));
        return;
      }
      clock.deliver(0, () => {
        if (settled) {
          logged.fate = 'unsent';
          return;
        }
        asked.onSent?.();
        clock.at(network.wayMs() + (fate?.how === 'slow' ? fate.ms : 0), () => {
          if (isDead()) {
            logged.fate = 'cut';
            clock.deliver(network.wayMs(), () => fail('ECONNRESET', true));
            return;
          }
          const answer =
            fate === undefined || fate.how === 'slow' || fate.acts ? handle(logged, asked) : undefined;
          if (fate?.how === 'stalls') return;
          clock.deliver(network.wayMs(), () => {
            if (settled) return;
            if (fate?.how === 'cut') {
              fail('ECONNRESET', true);
              return;
            }
            const said = echoingAnswer(
              fate?.how === 'says' ? fate.answer : (answer ?? { status: 200 }),
              logged,
            );
            const isFaulty = fate !== undefined && fate.how !== 'slow';
            settle(() => {
              logged.status = said.status;
              over();
              // A status that refuses says so, even where its body is lost.
              const isBodySpoilt = isFaulty && fate.how !== 'says';
              if (!isBodySpoilt || said.status >= 400) answered(logged, said, isFaulty && !isBodySpoilt);
              resolve(
                responseOf(said, fate?.how === 'drips' || fate?.how === 'breaks off' ? fate.how : 'whole', {
                  begin: () => (held += 1),
                  over: () => {
                    held -= 1;
                    over();
                  },
                }),
              );
            });
          });
        });
      });
    });

  return { request, rules, held: () => held };
};

const aspectOf = (route: RouteName): Aspect | undefined =>
  route === 'status' || route === 'queue'
    ? 'status'
    : route === 'history'
      ? 'record'
      : route === 'job'
        ? 'detail'
        : undefined;

const encoder = new TextEncoder();

const responseOf = (
  { status, headers = {}, body = '' }: Answer,
  how: 'whole' | 'drips' | 'breaks off',
  {
    begin,
    over,
  }: {
    readonly begin: () => void;
    readonly over: () => void;
  },
): HttpResponse => {
  const bytes = encoder.encode(typeof body === 'string' ? body : JSON.stringify(body));
  let isOver = false;
  let sent = false;
  begin();
  const finish = (): void => {
    if (!isOver) over();
    isOver = true;
  };
  const next = (): Promise<IteratorResult<Uint8Array>> => {
    if (!sent && how === 'whole') {
      sent = true;
      return Promise.resolve({ done: false, value: bytes });
    }
    if (how === 'drips') return new Promise(() => undefined);
    finish();
    return how === 'breaks off'
      ? // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a platform rejects with plain objects
        Promise.reject({ code: 'ECONNRESET', message: 'simulated', sent: true })
      : Promise.resolve({ done: true, value: undefined });
  };
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: { [Symbol.asyncIterator]: () => ({ next }) },
    discard: finish,
  };
};

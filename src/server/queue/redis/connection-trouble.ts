import {
  BehaviorSubject,
  distinctUntilChanged,
  EMPTY,
  filter,
  map,
  merge,
  mergeMap,
  Subject,
  Subscription,
  switchMap,
  take,
} from 'rxjs';
import { firstWords } from './first-words.js';
import { timerOn } from '../../../core/platform/timer.js';
import type { Clock } from '../../../core/platform/platform.js';
import type { NodeRedisClient } from './node-redis-commands.js';
import { refusalHint } from './refusal.js';
import type { RedisClient } from './redis-client.js';

/** How long a connection may be unreachable before the queue warns of it, in milliseconds. */
const silentMs = 3_000;

/** Why a connection does not work, as its client said last. */
export interface ConnectionTrouble {
  /** The client's last words, and what to try; undefined while the connection works. */
  readonly words: () => { readonly reason: string; readonly hint: string } | undefined;
  /** Whether there is no connection to the server now. */
  readonly isAway: () => boolean;
  /**
   * Notes the words with which the server takes no writes although it can be reached, or that it takes them: undefined. Tells each
   * change.
   */
  readonly refused: (words: string | undefined) => void;
  /** Watches this client from now on; `close` ends that. */
  readonly watch: (client: RedisClient, address: string) => void;
  readonly close: () => void;
}

/** How {@link connectionTrouble} measures time, warns and asks. */
export interface TroubleOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** Called once for each time that the connection is unreachable for longer than three seconds. */
  readonly tell: (message: string) => void;
  /** What the server itself says that closes connections; default its first words to one connection more. */
  readonly ask?: ((client: RedisClient) => Promise<string | undefined>) | undefined;
}

/** The last known condition of a connection. */
interface Known {
  readonly isReady: boolean;
  /** What its client said last, since it worked. */
  readonly last: string;
  /** The server's own words, for which it is asked once in each outage. */
  readonly own?: string | undefined;
  /** Why the server takes no writes. */
  readonly refusal?: string | undefined;
  readonly address: string;
}

/** Keeps the last words of a client while its server is unreachable or refuses it, and tells them after three seconds. */
export const connectionTrouble = ({ clock, tell, ask = firstWords }: TroubleOptions): ConnectionTrouble => {
  const known = new BehaviorSubject<Known>({ isReady: false, last: '', address: '' });
  const change = (by: Partial<Known>): void => known.next({ ...known.value, ...by });
  const watching = new Subscription();
  const tellOutage = (): void => {
    const { reason, hint } = wordsOf(known.value) ?? described('');
    tell(`Redis at ${known.value.address} can't be used for 3 s now: ${reason}. ${hint}`);
  };
  return {
    words: () => wordsOf(known.value),
    isAway: () => !known.value.isReady,
    close: () => watching.unsubscribe(),
    refused: (refusal) => {
      const { isReady, refusal: before, address } = known.value;
      if (!isReady || (refusal === undefined) === (before === undefined)) return;
      change({ refusal });
      if (refusal === undefined) tell(`Redis at ${address} takes writes again.`);
      else tell(`Redis at ${address} takes no writes now: ${refusal}. ${described(refusal).hint}`);
    },
    watch: (client, address) => {
      change({ address });
      const attempts = new Subject<void>();
      const listeners: Readonly<Record<string, (cause: unknown) => void>> = {
        error: (cause) => change({ last: textOf(cause) }),
        ready: () => change({ isReady: true, last: '', own: undefined }),
        // Before each attempt to connect again, of either package.
        reconnecting: () => {
          change({ isReady: false });
          attempts.next();
        },
      };
      for (const [event, listener] of Object.entries(listeners))
        (client as NodeRedisClient).on(event, listener);
      const silent = timerOn(clock, silentMs, { background: true }).pipe(map(() => tellOutage));
      const asked = attempts.pipe(
        filter(() => isTransport.test(known.value.last)),
        take(1),
        mergeMap(() => ask(client)),
        map((own) => () => change({ own })),
      );
      const outages = known.pipe(
        map(({ isReady }) => isReady),
        distinctUntilChanged(),
        switchMap((isReady) => (isReady ? EMPTY : merge(silent, asked))),
      );
      watching.add(outages.subscribe({ next: (react) => react(), error: () => undefined }));
    },
  };
};

const wordsOf = ({ isReady, last, own, refusal }: Known): ReturnType<ConnectionTrouble['words']> => {
  if (isReady) return refusal === undefined ? undefined : described(refusal);
  return described(isTransport.test(last) ? (own ?? last) : last);
};

const described = (reason: string): { readonly reason: string; readonly hint: string } => ({
  reason: reason === '' ? 'it does not answer' : reason,
  hint: hintOf(reason),
});

/** What a client says where the server has closed the connection, or nothing. */
const isTransport = /^$|EPIPE|ECONNRESET|closed|hang up/iu;

/** Of several attempts, as of the two addresses of a name, the last counts. */
const textOf = (cause: unknown): string => {
  if (cause instanceof AggregateError && cause.errors.length > 0) return textOf(cause.errors.at(-1));
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.replace(/[.\s]+$/u, '');
};

const hintOf = (reason: string): string =>
  refusalHint(reason) ??
  hints.find(([pattern]) => pattern.test(reason))?.[1] ??
  'Check that the server runs, and its address.';

const hints: readonly (readonly [reason: RegExp, hint: string])[] = [
  [/ENOTFOUND|EAI_AGAIN/u, 'Check the name of the host.'],
  [/ECONNREFUSED|ENOENT/u, 'Check that the server runs, and its port.'],
  [
    /wrong version number|packet length too long|record layer failure|unexpected message/iu,
    'That port seems to take no TLS: use redis://, or the port that does.',
  ],
  [
    /certificate|altnames|unable to verify/iu,
    'Give the certificate of its authority: tls.ca of the options of ioredis.',
  ],
  [/answers in HTTP/u, 'That is another service: check the port.'],
  [/answers in TLS|Protocol error/iu, 'Use rediss://, or the port without TLS.'],
  [
    /^$|EPIPE|ECONNRESET|closed|hang up/iu,
    'Check that the server runs, and its address; if its port takes TLS alone, use rediss://.',
  ],
  [/WRONGPASS|NOAUTH|AUTH/u, 'Check user and password.'],
  [/max number of clients/iu, 'Raise maxclients of the server, or close connections.'],
  [/NOPERM|ACL/u, 'Give the user the rights that docs/guide/many-machines.md lists.'],
];

import { firstWords } from './first-words.js';
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

/** What {@link connectionTrouble} takes. */
export interface TroubleOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** Called once for each time that the connection is unreachable for longer than three seconds. */
  readonly tell: (message: string) => void;
  /** What the server itself says that closes connections; default its first words to one connection more. */
  readonly ask?: ((client: RedisClient) => Promise<string | undefined>) | undefined;
}

/** Keeps the last words of a client while its server is unreachable or refuses it, and tells them after three seconds. */
export const connectionTrouble = ({ clock, tell, ask = firstWords }: TroubleOptions): ConnectionTrouble => {
  let isReady = false;
  let isClosed = false;
  let last = '';
  /** The server's own words, for which it is asked once in each outage. */
  let own: string | undefined;
  let isAsked = false;
  let cancel: (() => void) | undefined;
  let refusal: string | undefined;
  let at = '';
  const words = (): ReturnType<ConnectionTrouble['words']> => {
    if (isReady) return refusal === undefined ? undefined : described(refusal);
    return described(isTransport.test(last) ? (own ?? last) : last);
  };
  const close = (): void => {
    isClosed = true;
    cancel?.();
  };
  return {
    words,
    isAway: () => !isReady,
    close,
    refused: (now) => {
      if (!isReady || (now === undefined) === (refusal === undefined)) return;
      refusal = now;
      if (now === undefined) tell(`Redis at ${at} takes writes again.`);
      else tell(`Redis at ${at} takes no writes now: ${now}. ${described(now).hint}`);
    },
    watch: (client, address) => {
      at = address;
      const wait = (): void => {
        if (isClosed) return;
        cancel ??= clock.after(
          silentMs,
          () => {
            const { reason, hint } = words() ?? described('');
            tell(`Redis at ${address} can't be used for 3 s now: ${reason}. ${hint}`);
          },
          { background: true },
        );
      };
      const listeners: Readonly<Record<string, (cause: unknown) => void>> = {
        error: (cause) => {
          last = textOf(cause);
        },
        ready: () => {
          cancel?.();
          [isReady, last, cancel, own, isAsked] = [true, '', undefined, undefined, false];
        },
        // Before each attempt to connect again, of either package.
        reconnecting: () => {
          isReady = false;
          wait();
          if (isAsked || isClosed || !isTransport.test(last)) return;
          isAsked = true;
          void ask(client).then((answer) => (own = answer));
        },
      };
      for (const [event, listener] of Object.entries(listeners))
        (client as NodeRedisClient).on(event, listener);
      wait();
    },
  };
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

import { defer, retry, throwError } from 'rxjs';
import { isOfReplica } from './refusal.js';
import { realClock } from '../../../core/platform/clock.js';
import type { RedisArgument, RedisCommands } from './redis-commands.js';
import { timerOn } from '../../../core/platform/timer.js';

/** A client of the package redis: the parts that a queue uses. */
export interface NodeRedisClient {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  readonly options?: NodeRedisOptions | undefined;
  readonly connect: () => Promise<unknown>;
  readonly destroy: () => void;
  readonly duplicate: (overrides?: Readonly<Record<string, unknown>>) => NodeRedisClient;
  readonly on: (event: string, listener: (value: unknown) => void) => unknown;
  readonly sendCommand: (
    args: readonly (string | Buffer)[],
    options?: { readonly typeMapping: Readonly<Record<number, unknown>> },
  ) => Promise<unknown>;
  readonly subscribe: (channels: readonly string[], listener: OnBytes, bytes: true) => Promise<void>;
  readonly unsubscribe: (channels: readonly string[], listener: OnBytes, bytes: true) => Promise<void>;
}

type OnBytes = (message: Buffer, channel: Buffer) => void;

/** Options of such a client, as far as they matter here. */
export interface NodeRedisOptions {
  readonly keyPrefix?: string | undefined;
  readonly socket?: { readonly host?: string; readonly port?: number; readonly path?: string } | undefined;
}

/** The type of a text in RESP. */
const bulkString = 36;
const retryDelayMs = 50;

/** Whether an error is the server's own answer: those begin with a word in capitals. */
export const isServerError = (cause: unknown): boolean =>
  cause instanceof Error && /^[A-Z]{2,}\b/u.test(cause.message);

/** The commands of a queue by node-redis. A cut of the connection ends a call that was sent, which this sends again. */
export const nodeRedisCommands = (client: NodeRedisClient): RedisCommands => {
  const again: RedisCommands['again'] = (call) =>
    new Promise((resolve, reject) => {
      const delay = (cause: unknown) => {
        if (cause instanceof Error && isOfReplica(cause.message)) reconnect(client);
        const isOver = isServerError(cause) && !isLoading(cause);
        return client.isOpen && !isOver ? timerOn(realClock, retryDelayMs) : throwError(() => cause);
      };
      defer(call).pipe(retry({ delay })).subscribe({ next: resolve, error: reject });
    });
  const textOf = (arg: RedisArgument): string | Buffer => (typeof arg === 'number' ? String(arg) : arg);
  const send: RedisCommands['send'] = (...args) => again(() => client.sendCommand(args.map(textOf)));
  return {
    send,
    sendForBytes: async (...args) =>
      (await again(() =>
        client.sendCommand(args.map(textOf), { typeMapping: { [bulkString]: Buffer } }),
      )) as Buffer | null,
    evalsha: (sha, keys, args) => send('EVALSHA', sha, keys.length, ...keys, ...args),
    again,
    listen: ({ channels, onMessage, onListening = () => undefined }) => {
      const listener = openNodeRedis(client.duplicate());
      const take: OnBytes = (message, channel) => onMessage(channel.toString(), message);
      listener.on('ready', () => {
        const all = channels();
        if (all.length > 0) listener.subscribe(all, take, true).then(onListening, () => undefined);
      });
      return {
        add: (channel) => void listener.subscribe([channel], take, true).catch(() => undefined),
        remove: (channel) => void listener.unsubscribe([channel], take, true).catch(() => undefined),
        close: () => closeNodeRedis(listener),
      };
    },
    address: () => {
      const { host = 'localhost', port = 6379, path } = client.options?.socket ?? {};
      return path ?? `${host}:${port}`;
    },
    leavesReplicas: false,
    reconnect: () => reconnect(client),
    close: () => closeNodeRedis(client),
  };
};

/** Connects a client that waits for its server; what it can't do shows in the calls. */
export const openNodeRedis = (client: NodeRedisClient): NodeRedisClient => {
  client.on('error', () => undefined);
  client.connect().catch(() => undefined);
  return client;
};

/** The server reads its data, and answers once it has. */
const isLoading = (cause: unknown): boolean => cause instanceof Error && cause.message.startsWith('LOADING');

const reconnect = (client: NodeRedisClient): void => {
  if (!client.isReady) return;
  client.destroy();
  client.connect().catch(() => undefined);
};

const closeNodeRedis = (client: NodeRedisClient): void => {
  if (client.isOpen) client.destroy();
};

import { EventEmitter } from 'node:events';
import type { NodeRedisClient } from '../../../src/server/queue/redis/node-redis-commands.js';

type OnBytes = Parameters<NodeRedisClient['subscribe']>[1];

/** A client of the package redis whose server is the test. */
export interface PlayedClient {
  readonly client: NodeRedisClient;
  /** What was asked of it, in order. */
  readonly calls: readonly string[];
  /** The connections that were opened as its duplicates. */
  readonly duplicates: readonly PlayedClient[];
  /** What the test sets: whether it is open, and ready. */
  readonly state: { isOpen: boolean; isReady: boolean };
  /** Has each command and subscription take its answer from here. */
  readonly answerBy: (answer: (call: string) => Promise<unknown>) => void;
  /** Emits an event of the client. */
  readonly say: (event: string, value?: unknown) => void;
  /** Hands a message to whoever listens to the channel. */
  readonly message: (channel: string, message: string | Buffer) => void;
}

/** The type of a text in RESP, which a caller may ask for as bytes. */
const bulkString = 36;

/** Plays a client of the package redis, with these options. */
export const playedClient = (options?: NodeRedisClient['options']): PlayedClient => {
  const events = new EventEmitter();
  const calls: string[] = [];
  const duplicates: PlayedClient[] = [];
  const state = { isOpen: true, isReady: true };
  const listening = new Map<string, OnBytes>();
  let answer: (call: string) => Promise<unknown> = () => Promise.resolve('OK');
  const ask = (call: string): Promise<unknown> => {
    calls.push(call);
    return answer(call);
  };
  const client: NodeRedisClient = {
    get isOpen() {
      return state.isOpen;
    },
    get isReady() {
      return state.isReady;
    },
    options,
    on: (event, listener) => events.on(event, listener),
    connect: () => ask('connect'),
    destroy: () => {
      calls.push('destroy');
      state.isOpen = false;
    },
    duplicate: () => {
      const other = playedClient(options);
      duplicates.push(other);
      return other.client;
    },
    sendCommand: (args, { typeMapping = {} } = { typeMapping: {} }) => {
      const isText = args.every((arg) => typeof arg === 'string' || Buffer.isBuffer(arg));
      const words = [...args.map(String), ...(typeMapping[bulkString] === Buffer ? ['(as bytes)'] : [])];
      return ask(isText ? words.join(' ') : 'no text');
    },
    subscribe: async (channels, listener) => {
      await ask(`subscribe ${channels.join(' ')}`);
      for (const channel of channels) listening.set(channel, listener);
    },
    unsubscribe: async (channels) => {
      await ask(`unsubscribe ${channels.join(' ')}`);
      for (const channel of channels) listening.delete(channel);
    },
  };
  return {
    ...{ client, calls, duplicates, state },
    answerBy: (next) => (answer = next),
    say: (event, value) => void events.emit(event, value),
    message: (channel, message) => listening.get(channel)?.(Buffer.from(message), Buffer.from(channel)),
  };
};

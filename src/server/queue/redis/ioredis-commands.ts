import { openListener } from './open-listener.js';
import type { Redis } from 'ioredis';
import type { RedisCommands } from './redis-commands.js';

/** The commands of a queue by ioredis, which itself sends a call again that a cut of the connection ended. */
export const ioredisCommands = (redis: Redis): RedisCommands => ({
  send: (name, ...args) => redis.call(name, ...args),
  sendForBytes: async (name, ...args) => (await redis.callBuffer(name, ...args)) as Buffer | null,
  evalsha: (sha, keys, args) => redis.evalsha(sha, keys.length, ...keys, ...args),
  again: (call) => call(),
  listen: ({ channels, onMessage, onListening }) => {
    const { redis: listener, close } = openListener(redis, channels, onListening);
    listener.on('messageBuffer', (channel: Buffer, message: Buffer) =>
      onMessage(channel.toString(), message),
    );
    return {
      add: (channel) => void listener.subscribe(channel).catch(() => undefined),
      remove: (channel) => void listener.unsubscribe(channel).catch(() => undefined),
      close,
    };
  },
  address: () => {
    const { host = 'localhost', port = 6379, path } = redis.options;
    return path ?? `${host}:${port}`;
  },
  leavesReplicas: true,
  reconnect: () => redis.disconnect(true),
  close: () => redis.disconnect(),
});

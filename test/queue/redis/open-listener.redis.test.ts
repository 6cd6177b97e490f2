import { describeRedis } from '../describe-redis.js';
import { expect, it, onTestFinished } from 'vitest';
import { once } from 'node:events';
import { openListener } from '../../../src/server/queue/redis/open-listener.js';

describeRedis((server) => {
  /** A connection that listens to these channels, and what it has got. */
  const setUp = (channels: () => readonly string[]) => {
    const redis = server().connect();
    const seen: string[] = [];
    const { redis: listener, close } = openListener(redis, channels, () => seen.push('listens'));
    listener.on('message', (channel: string, text: string) => seen.push(`${channel}: ${text}`));
    onTestFinished(close);
    return { redis, seen, listener };
  };

  it('listens to the channels of the moment whenever the server is back, and says so', async () => {
    let channels = ['a', 'b'];
    const { redis, seen } = setUp(() => channels);
    await expect.poll(() => seen).toEqual(['listens']);
    await redis.publish('b', '1');
    await expect.poll(() => seen).toEqual(['listens', 'b: 1']);
    channels = ['c'];
    await server().kill();
    await server().start();
    await expect.poll(() => seen, { timeout: 10_000 }).toEqual(['listens', 'b: 1', 'listens']);
    await redis.publish('a', '2');
    await redis.publish('c', '3');
    await expect.poll(() => seen.at(-1)).toBe('c: 3');
    expect(seen).not.toContain('a: 2');
  });

  it('listens to nothing, and says nothing, where there is no channel', async () => {
    const { redis, seen, listener } = setUp(() => []);
    await once(listener, 'ready');
    expect(await listener.ping()).toBe('PONG');
    expect([seen, await redis.pubsub('CHANNELS')]).toEqual([[], []]);
  });

  it('leaves no rejection behind where it ends in the moment in which the server is back, or is refused', async () => {
    const stray: unknown[] = [];
    const note = (cause: unknown): void => void stray.push(cause);
    process.on('unhandledRejection', note);
    const { seen, listener } = setUp(() => ['a']);
    await expect.poll(() => seen).toEqual(['listens']);
    const isBack = new Promise<void>((resolve) => {
      listener.once('ready', () => {
        listener.disconnect();
        // Before the server's answer.
        listener.stream.destroy();
        resolve();
      });
    });
    await server().kill();
    await server().start();
    await isBack;
    const refused = setUp(() => ['a']);
    refused.listener.subscribe = () => Promise.reject(new Error('NOPERM'));
    await once(refused.listener, 'ready');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect([stray, refused.seen]).toEqual([[], []]);
  });
});

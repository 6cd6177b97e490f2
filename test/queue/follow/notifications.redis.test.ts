import { describeRedis } from '../describe-redis.js';
import { expect, it } from 'vitest';
import { merge, map } from 'rxjs';
import { queueNotifications } from '../../../src/server/queue/follow/notifications.js';

describeRedis((server) => {
  let names = 0;
  const setUp = () => {
    const name = `news-${(names += 1)}`;
    const redis = server().connect();
    const notifications = queueNotifications(redis, name);
    const all = merge(
      notifications.appended.pipe(map((id) => `appended ${id}`)),
      notifications.cancelled.pipe(map((id) => `cancelled ${id}`)),
      notifications.resumed.pipe(map((nothing) => `resumed ${String(nothing)}`)),
      notifications.progress.pipe(map(({ id, text }) => `progress of ${id}: ${text}`)),
      notifications.missed.pipe(map((nothing) => `missed ${String(nothing)}`)),
    );
    const tell = (topic: string, text = '', of = name) => redis.publish(`{promptwire:${of}}:${topic}`, text);
    return { name, redis, all, tell };
  };

  it('are told by topic, from the moment at which it listens, and of this queue alone', async () => {
    const { all, tell } = setUp();
    const seen: string[] = [];
    const listening = all.subscribe((one) => seen.push(one));
    await expect.poll(() => seen).toEqual(['missed undefined']);
    await tell('appended', JSON.stringify(['p', 't', 'a']));
    await tell('cancel', 'b');
    await tell('cancel', 'not mine', 'another');
    await tell('resumed');
    await tell('progress', 'c {"progress": 0.5}');
    await expect
      .poll(() => seen.slice(1))
      .toEqual(['appended a', 'cancelled b', 'resumed undefined', 'progress of c: {"progress": 0.5}']);
    listening.unsubscribe();
  });

  it('may have been missed while the connection was away, which it says then', async () => {
    const { all, tell } = setUp();
    const seen: string[] = [];
    const listening = all.subscribe((one) => seen.push(one));
    await expect.poll(() => seen).toEqual(['missed undefined']);
    await server().kill();
    await server().start();
    await expect.poll(() => seen, { timeout: 10_000 }).toEqual(['missed undefined', 'missed undefined']);
    await tell('cancel', 'b');
    await expect.poll(() => seen.at(-1)).toBe('cancelled b');
    listening.unsubscribe();
  });

  it('take one connection for all listeners, from the first one to the last', async () => {
    const { redis, all } = setUp();
    const clients = async () =>
      String(await redis.client('LIST'))
        .trim()
        .split('\n').length;
    const before = await clients();
    const listening = [all.subscribe(), all.subscribe()];
    await expect.poll(clients).toBe(before + 1);
    listening[0]?.unsubscribe();
    expect(await clients()).toBe(before + 1);
    listening[1]?.unsubscribe();
    await expect.poll(clients).toBe(before);
  });
});

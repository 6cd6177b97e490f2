import { describeRedis } from '../describe-redis.js';
import { expect, it } from 'vitest';
import type { LifecycleEvent } from '../../../src/core/events/job-log-event.js';
import { redisEventLog } from '../../../src/server/queue/store/redis-event-log.js';

const event = (at: number): LifecycleEvent => ({ type: 'cancelRequested', at });

describeRedis((server) => {
  it('T9 fills a page with what comes after an event that can’t be read, and tells of that once', async () => {
    const name = 'damaged events';
    const prefix = `{promptwire:${name}}:`;
    const redis = server().connect();
    const told: string[] = [];
    const log = redisEventLog({ redis, name, onDamage: (message) => void told.push(message) });
    await log.append('', 'x', [event(1)]);
    // As something else wrote it.
    await redis.xadd(`${prefix}events:`, '2-0', 'job', 'x', 'event', '{"cut');
    await redis.hset(`${prefix}log:`, 'last', 2);
    await log.append('', 'x', [event(3), event(4), event(5)]);
    const read = async (limit: number) =>
      (await log.read({ owner: '' }, undefined, limit)).events.map((one) => one.event.at);
    expect([await read(1), await read(2), await read(3), await read(9)]).toEqual([
      [1],
      [1, 3],
      [1, 3, 4],
      [1, 3, 4, 5],
    ]);
    expect(told).toEqual(["The event 2-0 of the queue can't be read: its job goes on without it."]);
  });
});

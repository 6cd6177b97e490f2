import { describeRedis } from '../describe-redis.js';
import { expect, it } from 'vitest';
import { isATemplateStore } from '../../gateway/ports/template-contract.js';
import { redisTemplateStore } from '../../../src/server/queue/store/redis-template-store.js';

describeRedis((server) => {
  let names = 0;
  const named = (name: string, limits = {}) =>
    redisTemplateStore({ redis: server().connect(), name, ...limits });

  isATemplateStore((limits) => {
    const name = `templates ${(names += 1)}`;
    return Promise.resolve({
      store: named(name, limits),
      again: () => Promise.resolve(named(name, limits)),
    });
  });

  it('leaves out a template that can’t be read', async () => {
    const redis = server().connect();
    const store = named('damaged');
    await redis.hset('{promptwire:damaged}:templates:alice', 'a', '{"cut');
    expect([await store.list('alice'), await store.get('alice', 'a')]).toEqual([[], undefined]);
  });
});

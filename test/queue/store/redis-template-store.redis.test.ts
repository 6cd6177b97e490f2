import { describeRedis } from '../describe-redis.js';
import { expect, it } from 'vitest';
import { isATemplateStore } from '../../gateway/ports/template-contract.js';
import type { SavedTemplate } from '../../../src/server/joblog/template-store.js';
import { redisTemplateStore } from '../../../src/server/queue/store/redis-template-store.js';

const share = { maxTemplates: 20, maxSize: 100_000 };
const template = (name: string): SavedTemplate => ({
  ...{ owner: 'alice', name, inputs: {}, jsonSchema: {}, createdAt: 1, updatedAt: 1, workflow: {} },
  description: 'x'.repeat(100),
});

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
    await store.put(template('b'), share);
    await redis.hset('{promptwire:damaged}:templates:alice', 'b', '{"cut');
    expect(await store.get('alice', 'b')).toBeUndefined();
  });

  it('lists the templates of an owner by their names, in whatever order they came', async () => {
    const store = named('ordered');
    const names = ['k', 'c', 'j', 'a', 'h', 'e', 'i', 'b', 'g', 'd', 'f'];
    for (const name of names) await store.put(template(name), share);
    expect((await store.list('alice')).map(({ name }) => name)).toEqual(names.toSorted());
  });
});

import { describeRedis } from '../describe-redis.js';
import { expect, it, onTestFinished } from 'vitest';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';
import { redisPorts, type RedisPortsOptions } from '../../../src/server/queue/jobs/redis-ports.js';

const record = (id: string): JobRecord => ({
  ...{ id, owner: 'alice', client: 'default', createdAt: 1, expiresAt: 10, submissionId: `s-${id}` },
  workflow: { 1: { class_type: 'A', inputs: {} } },
});

describeRedis((server) => {
  let names = 0;
  const open = async (options: Partial<RedisPortsOptions> = {}) => {
    const connection = { host: '127.0.0.1', port: server().port };
    const all = { connection, name: `ports-${(names += 1)}`, onWarning: () => undefined, ...options };
    const ports = await redisPorts(all);
    onTestFinished(() => ports.close());
    return { ...ports, name: all.name };
  };

  it('keep jobs and events for every process, apart from the jobs of the queue of the same name', async () => {
    const one = await open();
    const two = await open({ name: one.name });
    await one.index.add(record('a'));
    await one.log.append('alice', 'a', [{ type: 'cancelRequested', at: 3 }]);
    expect(await two.index.get('a')).toEqual(record('a'));
    const { events } = await two.log.read({ owner: 'alice', jobId: 'a' }, undefined, 9);
    expect(events.map(({ event }) => event)).toEqual([{ type: 'cancelRequested', at: 3 }]);
    const keys = await server().connect().keys(`*${one.name}*`);
    const own = `{promptwire:${one.name}:gateway}:`;
    expect(keys.filter((key) => !key.startsWith(own) && !key.includes(':engine:'))).toEqual([]);
    expect(keys.length).toBeGreaterThan(1);
  });

  it('keep as many jobs and bytes as they are told', async () => {
    const few = await open({ maxJobs: 1 });
    expect((await few.index.add(record('a')))._tag).toBe('added');
    expect((await few.index.add(record('b')))._tag).toBe('full');
    const small = await open({ maxSize: 10 });
    expect((await small.index.add(record('a')))._tag).toBe('full');
  });

  it('close once, whichever of them closes', async () => {
    for (const close of ['index', 'log', 'both'] as const) {
      const ports = await open();
      await ports.index.list(undefined, { limit: 1 });
      await { index: () => ports.index.close?.(), log: () => ports.log.close?.(), both: ports.close }[
        close
      ]();
      await expect(ports.index.get('a')).rejects.toThrow('closed');
      await ports.close();
    }
  });

  it('are refused for a name that no queue has', async () => {
    await expect(open({ name: 'a:b' })).rejects.toMatchObject({ _tag: 'InvalidConfig', option: 'name' });
  });
});

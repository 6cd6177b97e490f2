import { describe, expect, it } from 'vitest';
import { describeRedis } from '../describe-redis.js';
import { mendRecords } from '../../../src/server/queue/store/mend-records.js';
import { redisEventLog } from '../../../src/server/queue/store/redis-event-log.js';
import { redisJobIndex } from '../../../src/server/queue/store/redis-job-index.js';

let names = 0;

describeRedis((server) => {
  /** Two jobs of one owner, of which one has ended, with two events each. */
  const filled = async () => {
    const name = `mended-${(names += 1)}`;
    const prefix = `{promptwire:${name}}:`;
    const redis = server().connect();
    const told: string[] = [];
    const index = redisJobIndex({ redis, name });
    const log = redisEventLog({ redis, name });
    for (const id of ['a', 'b']) {
      const times = { createdAt: 1, expiresAt: 9e15 };
      await index.add({
        ...{ id, owner: 'alice', client: 'default', submissionId: id, key: `k-${id}`, workflow: {} },
        ...times,
      });
      await log.append('alice', id, [
        { type: 'cancelRequested', at: 1 },
        { type: 'cancelRequested', at: 2 },
      ]);
    }
    await index.update('b', { ended: { phase: 'completed', at: 3 } });
    const mend = () => mendRecords({ redis, name, onDamage: (message) => told.push(message) });
    const listed = async () => (await index.list('alice', { limit: 9 })).map(({ id }) => id);
    return { redis, prefix, index, log, mend, told, listed };
  };

  describe('the lists and logs of a gateway', () => {
    it('K3: are left alone where they are whole', async () => {
      const { redis, prefix, mend, told } = await filled();
      const before = await redis.keys(`${prefix}*`);
      await mend();
      expect([told, (await redis.keys(`${prefix}*`)).toSorted()]).toEqual([[], before.toSorted()]);
    });

    it('K3: are left alone where there is nothing yet', async () => {
      const redis = server().connect();
      const told: string[] = [];
      await mendRecords({ redis, name: 'nothing', onDamage: (message) => told.push(message) });
      expect([told, await redis.keys('{promptwire:nothing}:*')]).toEqual([[], []]);
    });

    it('K3: have a record that has lost its place as the newest one', async () => {
      const { redis, prefix, mend, told, listed } = await filled();
      await redis.hdel(`${prefix}job:a`, 'seq');
      await mend();
      expect(await listed()).toEqual(['a', 'b']);
      // The record, its place in two lists, and the count of places.
      expect(told).toEqual([expect.stringContaining(': 4 entries follow the records') as string]);
    });

    it('K3: follow the records again, and it is told once', async () => {
      const { redis, prefix, index, mend, told, listed } = await filled();
      await redis.del(`${prefix}jobs-of:alice`, `${prefix}key:["alice","k-a"]`, `${prefix}shares`);
      await redis.set(`${prefix}open`, 'a text');
      await redis.zadd(`${prefix}ended`, 1, 'no job');
      await mend();
      await mend();
      expect(told).toEqual([
        expect.stringMatching(/: (?:[2-9]|\d\d+) entries follow the records of the jobs again\.$/u),
      ]);
      expect(await listed()).toEqual(['b', 'a']);
      expect(await redis.get(`${prefix}damaged:open`)).toBe('a text');
      const again = { ...(await index.get('a'))!, id: 'c' };
      expect(await index.add(again)).toMatchObject({ _tag: 'keyUsed', existing: { id: 'a' } });
      const lease = { process: 'p', forMs: 1_000 };
      expect((await index.leases?.acquire(lease))?.map(({ id }) => id)).toEqual(['a']);
    });

    it('K3: have a record again that no list can name, and its key', async () => {
      const { redis, prefix, index, mend, told, listed } = await filled();
      for (const list of ['jobs', 'open', 'jobs-of:alice', 'key:["alice","k-a"]']) {
        await redis.del(`${prefix}${list}`);
        await redis.set(`${prefix}${list}`, 'a text');
      }
      await mend();
      expect(told).toHaveLength(1);
      expect(await listed()).toEqual(['b', 'a']);
      const again = { ...(await index.get('a'))!, id: 'c' };
      expect(await index.add(again)).toMatchObject({ _tag: 'keyUsed', existing: { id: 'a' } });
    });

    it('K3: set a key of another type aside that no record leads to', async () => {
      const { redis, prefix, index, log, mend } = await filled();
      await redis.rpush(`${prefix}key:["bob","k"]`, 'a text');
      await redis.set(`${prefix}log:bob`, 'a text');
      await redis.set(`${prefix}events-of:["bob","z"]`, 'a text');
      await redis.del(`${prefix}open`);
      await mend();
      const record = { ...(await index.get('a'))!, id: 'z', owner: 'bob', key: 'k' };
      expect(await index.add(record)).toMatchObject({ _tag: 'added' });
      expect(await log.append('bob', 'z', [{ type: 'cancelRequested', at: 1 }])).toHaveLength(1);
    });

    it('K3: set aside all such keys, however many pages the names of keys have', async () => {
      const { redis, prefix, mend } = await filled();
      const lost = Array.from({ length: 2_500 }, (_, at) => `${prefix}events-of:["bob","${at}"]`);
      await redis.mset(Object.fromEntries(lost.map((key) => [key, 'a text'])));
      await redis.del(`${prefix}open`);
      await mend();
      expect(await redis.exists(...lost)).toBe(0);
    });

    it('K3: follow the records for a user who may not ask for the names of keys', async () => {
      const { redis, prefix, mend, told, listed } = await filled();
      await redis.del(`${prefix}jobs-of:alice`);
      await redis.call('ACL', 'SETUSER', 'guest', 'on', 'nopass', '~*', '&*', '+@all', '-scan');
      await redis.call('AUTH', 'guest', 'any');
      await mend();
      expect(told).toHaveLength(1);
      expect(await listed()).toEqual(['b', 'a']);
    });

    it('K3: begin anew without their head, so that no former position means another event', async () => {
      const { redis, prefix, log, mend } = await filled();
      const before = await log.position('alice');
      await redis.del(`${prefix}log:alice`);
      await mend();
      expect((await log.read({ owner: 'alice' }, before, 9)).gap).toBe(true);
      expect((await log.read({ owner: 'alice', jobId: 'a' }, undefined, 9)).events).toHaveLength(2);
      const [next = ''] = await log.append('alice', 'a', [{ type: 'cancelRequested', at: 3 }]);
      expect(next.split('-')[1]).toBe('5');
    });

    it('K3: say so where the last events of an owner are lost', async () => {
      const { redis, prefix, log, mend, told } = await filled();
      const [first] = (await log.read({ owner: 'alice' }, undefined, 9)).events;
      await redis.xdel(`${prefix}events:alice`, '4-0');
      await mend();
      expect(told).toHaveLength(1);
      expect((await log.read({ owner: 'alice' }, first?.id, 9)).gap).toBe(true);
    });
  });
});

import { alice, playedGateway, playedService, workflow } from '../../gateway/support.js';
import { createJobQueue } from '../../../src/server/queue/jobs/create-job-queue.js';
import { createWorker } from '../../../src/server/queue/worker/create-worker.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeRedis } from '../describe-redis.js';
import { emulated, picture } from '../../helpers/emulated.js';
import { lastValueFrom, toArray } from 'rxjs';
import { redisEventLog } from '../../../src/server/queue/store/redis-event-log.js';
import { redisJobIndex } from '../../../src/server/queue/store/redis-job-index.js';

describeRedis(
  (server) => {
    let names = 0;

    describe('the records of a gateway', () => {
      /** Gateways over one index and log, each started as in a process of its own. */
      const shared = () => {
        const name = `gateway ${(names += 1)}`;
        const told: string[] = [];
        const redis = server().connect();
        const start = (service = playedService('jobs')) => {
          const ports = { redis, name, onDamage: (message: string) => told.push(message) };
          return playedGateway({ index: redisJobIndex(ports), log: redisEventLog(ports) }, service);
        };
        return { redis, prefix: `{promptwire:${name}}:`, told, start };
      };
      const two = async () => {
        const world = shared();
        const service = playedService('jobs');
        const first = await world.start(service);
        const ids: string[] = [];
        for (const key of ['k', 'l']) {
          const answer = await first.jobs.submit(alice, { workflow, key });
          if (answer._tag === 'accepted') ids.push(answer.job.record.id);
        }
        await first.jobs.close();
        return { ...world, service, ids: ids as unknown as readonly [string, string] };
      };

      it.each(['{"cut', '[]', 'null', '{"id":"other"}'])(
        'T9 that can’t be read (%s) cost their own jobs, and are told once by all processes',
        async (text) => {
          const { redis, prefix, told, service, ids, start } = await two();
          await redis.hset(`${prefix}job:${ids[0]}`, 'record', text);
          const second = await start(service);
          const third = await start(service);
          await second.clock.advance(0);
          const failed = {
            state: { phase: 'failed', failure: { exceptionMessage: expect.any(String) as string } },
          };
          await expect.poll(() => second.jobs.get(alice, ids[0])).toMatchObject(failed);
          await expect.poll(() => third.jobs.get(alice, ids[0])).toMatchObject(failed);
          expect((await second.jobs.get(alice, ids[1]))?.state.phase).toBe('pending');
          expect(told).toEqual([
            `The record of the job ${ids[0]} of alice can't be read: it is kept in ${prefix}damaged.`,
          ]);
          expect(await redis.hgetall(`${prefix}damaged`)).toEqual({ [ids[0]]: text });
          expect([await second.index.damaged?.(), await third.index.damaged?.()]).toEqual([1, 1]);
          expect(await second.jobs.submit(alice, { workflow, key: 'k' })).toEqual({ _tag: 'keyUsed' });
        },
      );

      it('T9 that are none at all are taken out, and the rest goes on', async () => {
        const { redis, prefix, service, ids, start } = await two();
        await redis.del(`${prefix}job:${ids[0]}`);
        await redis.set(`${prefix}job:${ids[0]}`, 'a text');
        const { jobs, index } = await start(service);
        expect((await jobs.list(alice, { limit: 9 }))?.jobs.map(({ record }) => record.id)).toEqual([ids[1]]);
        expect(await index.expire(Number.MAX_SAFE_INTEGER)).toEqual([]);
        expect(await redis.get(`${prefix}damaged:${ids[0]}`)).toBe('a text');
        expect(await index.damaged?.()).toBe(1);
      });

      it('T9 whose events can’t be read go on with the others', async () => {
        const { redis, prefix, told, service, ids, start } = await two();
        const stream = `${prefix}events-of:["alice","${ids[0]}"]`;
        const unread = ['{"type":"status"}', 'x', '{"type":"of a later version"}'];
        for (const [at, event] of unread.entries())
          await redis.xadd(stream, `${at + 3}-0`, 'job', ids[0], 'event', event);
        await redis.hset(`${prefix}log:alice`, 'last', unread.length + 2);
        const { jobs, log } = await start(service);
        expect((await jobs.get(alice, ids[0]))?.state.phase).toBe('pending');
        const { events } = await log.read({ owner: 'alice', jobId: ids[0] }, undefined, 2);
        expect(events.map(({ event }) => event.type)).toEqual(['submitted']);
        expect(told).toHaveLength(2);
      });

      it('T9 of a later format are left alone, and those of an earlier one are taken, in a rolling restart', async () => {
        const { redis, prefix, told, service, ids, start } = await two();
        // As a later version writes one, and as the version before wrote the other.
        await redis.hset(`${prefix}job:${ids[0]}`, { format: '2', record: '{"in":"another form"}' });
        await redis.hdel(`${prefix}job:${ids[1]}`, 'format');
        const before = await redis.hgetall(`${prefix}job:${ids[0]}`);
        const { jobs, index } = await start(service);
        expect((await jobs.list(alice, { limit: 9 }))?.jobs.map(({ record }) => record.id)).toEqual([ids[1]]);
        expect(await index.expire(Number.MAX_SAFE_INTEGER)).toEqual([]);
        expect(await redis.hgetall(`${prefix}job:${ids[0]}`)).toEqual(before);
        expect(await redis.zscore(`${prefix}open`, ids[0])).not.toBeNull();
        expect([told, await index.damaged?.()]).toEqual([[], 0]);
        expect(await jobs.submit(alice, { workflow, key: 'k' })).toEqual({ _tag: 'keyUsed' });
      });
    });

    describe('a queue', () => {
      const opened = async () => {
        const { newClient } = await emulated({}, {});
        const told: string[] = [];
        const common = {
          connection: `redis://127.0.0.1:${server().port}`,
          name: `damaged-${(names += 1)}`,
          onWarning: (message: string) => void told.push(message),
        };
        const queue = createJobQueue(common);
        onTestFinished(() => queue.close());
        const work = async () => {
          const worker = createWorker({ ...common, client: newClient(), tier: 'creator' });
          onTestFinished(() => worker.close());
          await worker.ready;
        };
        return { queue, work, told, redis: server().connect(), prefix: `{promptwire:${common.name}}:` };
      };

      it.each([
        ['workflow', 'no gzip'],
        ['intent', '{"cut'],
      ] as const)(
        'T9 fails a job whose %s can’t be read, says so once, and runs the others',
        async (part, text) => {
          const { queue, work, told, redis, prefix } = await opened();
          const ids = [await queue.add(picture()), await queue.add(picture())];
          if (part === 'workflow') await redis.set(`${prefix}workflow:${ids[0]}`, text);
          else await redis.hset(`${prefix}job:${ids[0]}`, part, text);
          await work();
          const [broken, whole] = await Promise.all(ids.map((id) => lastValueFrom(queue.follow(id))));
          expect(broken).toMatchObject({
            ...{
              phase: 'failed',
              failure: { exceptionMessage: expect.stringContaining("can't be read.") as string },
            },
          });
          expect(whole?.phase).toBe('completed');
          expect(told).toEqual([
            expect.stringContaining(`of the job ${ids[0]} can't be read: it is kept in ${prefix}damaged.`),
          ]);
          expect(await redis.hgetall(`${prefix}damaged`)).toEqual({ [`${part}:${ids[0]}`]: text });
          expect((await queue.stats()).damaged).toBe(1);
        },
      );

      it('T9 lists its jobs, and ends followers by the record, where others can’t be read', async () => {
        const { queue, redis, prefix } = await opened();
        const id = await queue.add(picture());
        await queue.cancel(id);
        const stream = `${prefix}events-of:["","${id}"]`;
        await redis.del(stream);
        await redis.xadd(stream, '1-0', 'job', id, 'event', 'x');
        const states = await lastValueFrom(queue.follow(id).pipe(toArray()));
        expect(states.map(({ phase }) => phase)).toEqual(['cancelled']);
        const other = await queue.add(picture());
        await redis.set(`${prefix}job:${id}`, 'a text');
        const listed: string[] = [];
        for await (const job of queue.list()) listed.push(job.id);
        expect(listed).toEqual([other]);
      });

      it('T9 leaves a job of a later format to the workers that know it', async () => {
        const { queue, work, told, redis, prefix } = await opened();
        const id = await queue.add(picture());
        await redis.hset(`${prefix}job:${id}`, 'format', '2');
        await work();
        await expect.poll(() => redis.hget(`${prefix}job:${id}`, 'fence')).not.toBe('0');
        await expect.poll(() => redis.hget(`${prefix}job:${id}`, 'phase')).toBe('waiting');
        expect(told).toEqual([]);
      });
    });
  },
  { isDurable: true },
);

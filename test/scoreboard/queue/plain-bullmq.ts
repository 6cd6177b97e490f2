import { gunzipSync, gzipSync } from 'node:zlib';
import { Queue, Worker } from 'bullmq';
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Workflow } from '../../../src/node.js';

/** What a program on BullMQ alone has written by hand. */
export interface PlainQueue extends AsyncDisposable {
  readonly add: (workflow: Workflow) => Promise<void>;
  /** Runs jobs until so many have ended. */
  readonly work: (connection: Redis, slots: number, jobs: number) => Promise<void>;
}

const turnOptions = { attempts: 1_000, removeOnComplete: true, removeOnFail: true };

/**
 * BullMQ with the same work for Redis as a queue of ours, by plain commands in as many round trips: a record, the packed workflow, an index, and
 * each event in two streams; then the hold, the log read, the workflow, the intent, the service's id, two looks at the record, two
 * appends and the end.
 */
export const plainQueue = (redis: Redis, name: string): PlainQueue => {
  const prefix = `{plain:${name}}:`;
  const queue = new Queue('turns', {
    connection: redis,
    prefix: `${prefix}engine`,
    defaultJobOptions: turnOptions,
  });
  const job = (id: string): string => `${prefix}job:${id}`;
  const events = (id: string): string => `${prefix}events-of:${id}`;
  let seq = 0;

  const log = (id: string, event: object) =>
    redis
      .multi()
      .xadd(`${prefix}events`, '*', 'job', id, 'event', JSON.stringify(event))
      .xadd(events(id), '*', 'job', id, 'event', JSON.stringify(event))
      .hincrby(job(id), 'logBytes', 100)
      .publish(`${prefix}appended`, id);

  const run = async (id: string, worker: string): Promise<void> => {
    await redis
      .multi()
      .zrem(`${prefix}waiting`, id)
      .hset(`${prefix}turns`, id, id)
      .hset(job(id), 'phase', 'held', 'turn', id, 'worker', worker)
      .hincrby(job(id), 'fence', 1)
      .hgetall(job(id))
      .exec();
    await redis.xrange(events(id), '-', '+');
    const packed = await redis.getBuffer(`${prefix}workflow:${id}`);
    JSON.parse(gunzipSync(packed!).toString());
    await redis.hgetall(job(id));
    const [submissionId, promptId] = [randomUUID(), randomUUID()];
    await redis.hset(job(id), 'intent', JSON.stringify({ attempt: 1, worker, submissionId, at: Date.now() }));
    await redis.multi().hsetnx(`${prefix}prompts`, promptId, id).hset(job(id), 'promptId', promptId).exec();
    await redis.hgetall(job(id));
    for (const phase of ['in_progress', 'completed']) {
      const state = { phase, promptId, progress: 0, outputs: {}, images: [], done: [], cached: [] };
      await log(id, { type: 'status', at: Date.now(), status: state })
        .set(`${prefix}appended:${randomUUID()}`, '1', 'EX', 600)
        .exec();
    }
    await redis
      .multi()
      .hdel(`${prefix}turns`, id)
      .hdel(job(id), 'turn', 'worker')
      .hset(job(id), 'phase', 'ended', 'reason', 'completed', 'outcome', 'completed', 'endedAt', Date.now())
      .zadd(`${prefix}ended`, Date.now(), id)
      .exec();
  };

  return {
    add: async (workflow) => {
      const id = randomUUID();
      seq += 1;
      const fields = { phase: 'waiting', tenant: '', priority: 0, seq, fence: 0, createdAt: Date.now() };
      await log(id, {
        type: 'submitted',
        at: Date.now(),
        state: { phase: 'submitted', outputs: {}, images: [] },
      })
        .hset(job(id), fields)
        .set(`${prefix}workflow:${id}`, gzipSync(JSON.stringify({ workflow })))
        .zadd(`${prefix}jobs`, seq, id)
        .zadd(`${prefix}waiting`, seq, id)
        .exec();
      await queue.add('turn', {}, { jobId: id });
    },
    work: async (connection, slots, jobs) => {
      await queue.setGlobalConcurrency(slots);
      let ended = 0;
      let worker: Worker | undefined;
      await new Promise<void>((resolve, reject) => {
        worker = new Worker(
          'turns',
          async ({ id }) => {
            await run(id ?? '', 'plain');
          },
          { connection, prefix: `${prefix}engine`, concurrency: slots },
        );
        worker.on('completed', () => {
          ended += 1;
          if (ended === jobs) resolve();
        });
        worker.on('failed', (_, error) => reject(error));
      });
      await worker?.close();
    },
    [Symbol.asyncDispose]: () => queue.close(),
  };
};

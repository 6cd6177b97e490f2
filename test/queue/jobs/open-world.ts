import { createJobQueue } from '../../../src/server/queue/jobs/create-job-queue.js';
import { onTestFinished } from 'vitest';
import { openQueue } from '../../../src/server/queue/jobs/open-queue.js';
import type { QueueOptions } from '../../../src/server/queue/options.js';
import type { RedisServer } from '../../helpers/redis-server.js';

let names = 0;

/** A queue, and its parts as a worker has them. */
export const openWorld = async (server: RedisServer) => {
  const account = {
    ...{ connection: { port: server.port, host: '127.0.0.1' }, name: `world-${(names += 1)}` },
    onWarning: () => undefined,
  };
  const open = (options: QueueOptions = account) => {
    const queue = createJobQueue(options);
    onTestFinished(() => queue.close());
    return queue;
  };
  const queue = open();
  const parts = await openQueue(account);
  onTestFinished(() => parts.close());
  const take = async (turn: string) => {
    const held = await parts.store.take(turn, 'w');
    if (held === undefined) throw new Error('No job waits.');
    return held;
  };
  const list = async () => {
    const all: string[] = [];
    for await (const { id, phase } of queue.list()) all.push(`${id} ${phase}`);
    return all;
  };
  return { ...parts, account, queue, open, take, list, redis: server.connect() };
};

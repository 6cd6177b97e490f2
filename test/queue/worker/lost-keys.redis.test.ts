import { aQueue, playedClient } from './a-worker.js';
import { describeRedis } from '../describe-redis.js';
import { expect, it } from 'vitest';

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };

describeRedis((server) => {
  it.each([
    ['the limit of the turns is lost', 'meta'],
    ['the server is emptied', 'all'],
  ])('Q11 no more jobs run than the account has slots where %s under load', async (_, lost) => {
    const redis = server().connect();
    const { account, queue, work } = aQueue(server());
    const { service, client } = playedClient();
    const workers = [1, 2].map(() => work(client, { tier: 2, concurrency: 5 }));
    await Promise.all(workers.map(({ ready }) => ready));
    await queue.addAll(Array(8).fill({ workflow }));
    await expect.poll(() => service.submitted.length).toBe(2);
    if (lost === 'all') await redis.flushall();
    else expect(await redis.del(`{promptwire:${account.name}}:engine:turns:meta`)).toBe(1);
    // Those of before run on at the service, and are none of the queue's where it has lost them.
    const before = lost === 'all' ? 2 : 0;
    if (lost === 'all') await queue.addAll(Array(8).fill({ workflow }));
    const ended = new Set<string>();
    let most = 0;
    for (let nth = 0; nth < 8; nth += 1) {
      await expect.poll(() => service.submitted.length - before - ended.size).toBeGreaterThan(0);
      const running = service.submitted.slice(before).filter(({ promptId }) => !ended.has(promptId));
      most = Math.max(most, running.length);
      ended.add(running[0]!.promptId);
      service.move(running[0]!.promptId, 'completed');
    }
    expect(most).toBeLessThanOrEqual(2);
    await expect.poll(async () => (await queue.stats()).ended).toBe(8);
    await expect.poll(async () => (await queue.stats()).slots).toBe(2);
  });
});

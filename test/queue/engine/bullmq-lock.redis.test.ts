import * as bullmq from 'bullmq';
import { createRequire } from 'node:module';
import { describeRedis } from '../describe-redis.js';
import { expect, it, onTestFinished } from 'vitest';
import { lockVersion } from '../../../src/server/queue/engine/bullmq-lock.js';
import { openSlotTokens } from '../../../src/server/queue/engine/slot-tokens.js';
import { runTokens } from '../../../src/server/queue/engine/run-tokens.js';
import { realClock } from '../../../src/core/platform/clock.js';

describeRedis((server) => {
  it('Q5 finds the lock of a turn where the version of BullMQ that is installed keeps it', async () => {
    const { version } = createRequire(import.meta.url)('bullmq/package.json') as { readonly version: string };
    expect(Number.parseInt(version, 10)).toBe(lockVersion);
    const [packages, redis] = [{ bullmq }, server().connect()];
    const slotTokens = openSlotTokens(packages, redis, 'lock');
    onTestFinished(() => slotTokens.close());
    const locks: (readonly [string, string | null])[] = [];
    const runner = runTokens({
      ...{ packages, redis: server().connect(), name: 'lock', queue: 'turns', concurrency: 1, lockMs: 4_000 },
      ...{ isAway: () => false, clock: realClock },
      run: async (_, __, { key, token }) => {
        locks.push([token, await redis.get(key)]);
        return 'done';
      },
    });
    onTestFinished(() => runner.close());
    // Also by an id that BullMQ gets in another form.
    for (const id of ['x', 'delayed']) await slotTokens.add(id);
    await expect.poll(() => locks.length).toBe(2);
    for (const [token, kept] of locks) expect([token.length > 0, kept]).toEqual([true, token]);
  });
});

import * as bullmq from 'bullmq';
import * as ioredis from 'ioredis';
import { describeRedis } from '../describe-redis.js';
import { expect, it, onTestFinished } from 'vitest';
import { firstValueFrom, ReplaySubject, Subject } from 'rxjs';
import { once } from 'node:events';
import { openSlotTokens } from '../../../src/server/queue/engine/slot-tokens.js';
import { runTokens, type TokenRunnerOptions } from '../../../src/server/queue/engine/run-tokens.js';
import { realClock } from '../../../src/core/platform/clock.js';

const packages = { bullmq, ioredis };

describeRedis((server) => {
  let names = 0;
  /** The slot tokens of a queue of its own, and runners for them. */
  const setUp = () => {
    const name = `turns-${(names += 1)}`;
    const redis = server().connect();
    const slotTokens = openSlotTokens(packages, redis, name);
    onTestFinished(() => slotTokens.close());
    const run = (of: TokenRunnerOptions['run'], more: Partial<TokenRunnerOptions> = {}) => {
      const runner = runTokens({
        ...{ packages, redis: server().connect(), name, queue: 'turns', concurrency: 9, lockMs: 800 },
        ...{ run: of, isAway: () => false, clock: realClock, ...more },
      });
      onTestFinished(() => runner.close());
      return runner;
    };
    const keyOf = (rest: string): string => `{promptwire:${name}}:engine:${rest}`;
    return { name, redis, slotTokens, run, keyOf };
  };
  /** What a runner runs: each slot token is written down, and over at once. */
  const written = () => {
    const ids: string[] = [];
    return { ids, run: (id: string) => Promise.resolve<'done'>((ids.push(id), 'done')) };
  };

  it('runs each turn once, by its id, and keeps nothing of it', async () => {
    const { redis, slotTokens, run, keyOf } = setUp();
    await slotTokens.add('a');
    await slotTokens.add('a');
    await slotTokens.add('b');
    expect(await slotTokens.due()).toBe(2);
    const { ids, run: note } = written();
    run(note);
    await expect.poll(() => ids.length).toBe(2);
    expect(ids.toSorted()).toEqual(['a', 'b']);
    await expect.poll(() => redis.exists(keyOf('turns:a'), keyOf('turns:b'))).toBe(0);
    expect(await slotTokens.due()).toBe(0);
    // An id whose slot token is over can be added anew.
    await slotTokens.add('a');
    await expect.poll(() => ids.length).toBe(3);
  });

  it('closes once the slot tokens are there that were being added', async () => {
    const { redis, slotTokens, keyOf } = setUp();
    void slotTokens.addAll([{ id: 'a' }, { id: 'b', delayMs: 60_000 }]);
    await slotTokens.close();
    expect(await redis.exists(keyOf('turns:a'), keyOf('turns:b'))).toBe(2);
  });

  it('runs a turn after its delay, and does not count it as due before', async () => {
    const { redis, slotTokens, run, keyOf } = setUp();
    await slotTokens.add('late', 60_000);
    await slotTokens.add('soon', 150);
    expect(await slotTokens.due()).toBe(0);
    expect(await redis.hget(keyOf('turns:late'), 'delay')).toBe('60000');
    const { ids, run: note } = written();
    run(note);
    await expect.poll(() => ids).toEqual(['soon']);
  });

  it('runs no more turns at once than the limit of all runners, or than the one runner may', async () => {
    const { slotTokens, run } = setUp();
    let now = 0;
    let most = 0;
    const ids: string[] = [];
    const slowly = async (id: string) => {
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      ids.push(id);
      return 'done' as const;
    };
    await slotTokens.setLimit(2);
    for (const id of ['a', 'b', 'c', 'd', 'e']) await slotTokens.add(id);
    const [one, other] = [run(slowly), run(slowly)];
    await expect.poll(() => ids.length).toBe(5);
    expect(most).toBeLessThanOrEqual(2);
    await Promise.all([one.close(), other.close()]);
    most = 0;
    await slotTokens.setLimit(9);
    for (const id of ['f', 'g', 'h']) await slotTokens.add(id);
    run(slowly, { concurrency: 1 });
    await expect.poll(() => ids.length).toBe(8);
    expect(most).toBe(1);
  });

  it('Q10 asks for no turn while it rests, and takes those that came meanwhile when it wakes', async () => {
    const { redis, slotTokens, run } = setUp();
    const { ids, run: note } = written();
    const runner = run(note);
    await slotTokens.add('a');
    await expect.poll(() => ids).toEqual(['a']);
    runner.rest();
    await expect.poll(() => redis.info('clients')).toContain('blocked_clients:0');
    await slotTokens.add('b');
    expect(await slotTokens.due()).toBe(1);
    runner.wake();
    await expect.poll(() => ids).toEqual(['a', 'b']);
  });

  it('begins no turn while it is paused, and goes on then', async () => {
    const { slotTokens, run } = setUp();
    await slotTokens.pause();
    await slotTokens.add('a');
    const { ids, run: note } = written();
    const other = setUp();
    run(note);
    other.run(note);
    await other.slotTokens.add('of another queue');
    await expect.poll(() => ids).toEqual(['of another queue']);
    expect(ids).toHaveLength(1);
    await slotTokens.resume();
    await expect.poll(() => ids).toEqual(['of another queue', 'a']);
  });

  it('gives a turn that goes back to a runner again, at once and without a failed attempt', async () => {
    const { redis, slotTokens, run, keyOf } = setUp();
    await slotTokens.add('a');
    let runs = 0;
    run(async () => {
      runs += 1;
      if (runs < 3) return 'requeue';
      expect(await redis.hget(keyOf('turns:a'), 'atm')).toBeNull();
      return 'done';
    });
    await expect.poll(() => runs).toBe(3);
    await expect.poll(() => redis.exists(keyOf('turns:a'))).toBe(0);
  });

  it('gives a turn that threw to a runner again, a second later', async () => {
    const { redis, slotTokens, run, keyOf } = setUp();
    await slotTokens.add('a');
    let runs = 0;
    run(() => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('away')) : Promise.resolve('done');
    });
    await expect.poll(() => redis.zcard(keyOf('turns:delayed'))).toBe(1);
    expect(runs).toBe(1);
    const { opts } = await redis.hgetall(keyOf('turns:a'));
    expect(JSON.parse(opts ?? '')).toMatchObject({
      ...{ attempts: 2 ** 31 - 1, backoff: { type: 'fixed', delay: 1_000 } },
      ...{ removeOnComplete: true, removeOnFail: true },
    });
    await expect.poll(() => runs, { timeout: 10_000 }).toBe(2);
  });

  it('hands the lock of the turn to its run, and tells it where the lock is lost', async () => {
    const { redis, slotTokens, run } = setUp();
    await slotTokens.add('a');
    const seen: string[] = [];
    run(
      async (_, lost, { key, token }) => {
        if ((await redis.get(key)) === token) seen.push('held');
        await redis.set(key, 'another runner');
        await once(lost, 'abort');
        seen.push('lost');
        return 'done';
      },
      { concurrency: 1 },
    );
    await expect.poll(() => seen, { timeout: 10_000 }).toEqual(['held', 'lost']);
  });

  it('gives the turn of a runner that died to another one', async () => {
    const { redis, slotTokens, run, keyOf } = setUp();
    await slotTokens.add('a');
    // What is left of it: the slot token is taken, and its lock is over.
    await redis.rpoplpush(keyOf('turns:wait'), keyOf('turns:active'));
    const { ids, run: note } = written();
    run(note);
    await expect.poll(() => ids, { timeout: 10_000 }).toEqual(['a']);
  });

  it('keeps deliveries apart from turns, with twenty attempts at growing distances', async () => {
    const { redis, slotTokens, run, keyOf } = setUp();
    await slotTokens.addDelivery('a');
    await slotTokens.addDelivery('a');
    expect(await slotTokens.due()).toBe(0);
    const { opts } = await redis.hgetall(keyOf('deliveries:a'));
    expect(JSON.parse(opts ?? '')).toMatchObject({
      ...{ attempts: 20, backoff: { type: 'exponential', delay: 1_000 } },
      ...{ removeOnComplete: true, removeOnFail: { age: 604_800, count: 1_000 } },
    });
    const { ids, run: note } = written();
    run(note, { queue: 'deliveries' });
    await expect.poll(() => ids).toEqual(['a']);
    await expect.poll(() => redis.exists(keyOf('deliveries:a'))).toBe(0);
    expect(ids).toHaveLength(1);
  });

  it('is closed once none of its turns runs, and takes none from then on', async () => {
    const { slotTokens, run } = setUp();
    await slotTokens.add('a');
    const begun = new Subject<void>();
    const finish = new ReplaySubject<'done'>(1);
    const runner = run(() => {
      begun.next();
      return firstValueFrom(finish);
    });
    await firstValueFrom(begun);
    const closed = runner.close();
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    finish.next('done');
    await closed;
    await slotTokens.add('b');
    expect(await slotTokens.due()).toBe(1);
  });
});

import { describe, expect, it } from 'vitest';
import { openSlotTokens, slotTokensOf } from '../../../src/server/queue/engine/slot-tokens.js';

/** BullMQ in memory, which counts jobs as the test says. */
const world = (counts: Readonly<Record<string, number>> = {}) => {
  const calls: unknown[] = [];
  class PlayedQueue {
    readonly keys = { delayed: '', wait: '' };
    readonly metaValues = { version: 'bullmq:6.0.0' };
    readonly name: string;
    constructor(
      name: string,
      { defaultJobOptions, prefix }: { readonly defaultJobOptions: object; readonly prefix: string },
    ) {
      this.name = name;
      calls.push(['open', name, prefix, defaultJobOptions]);
    }
    on(): void {
      // No connection fails here.
    }
    waitUntilReady(): Promise<void> {
      return Promise.resolve();
    }
    add(...job: readonly unknown[]): Promise<void> {
      return this.note('add', ...job);
    }
    setGlobalConcurrency(slots: number): Promise<void> {
      return this.note('limit', slots);
    }
    pause(): Promise<void> {
      return this.note('pause');
    }
    resume(): Promise<void> {
      return this.note('resume');
    }
    close(): Promise<void> {
      return this.note('close');
    }
    getJobCounts(...types: readonly string[]): Promise<object> {
      const known = types.filter((type) => type in counts).map((type) => [type, counts[type]]);
      return Promise.resolve(Object.fromEntries(known) as object);
    }
    private note(...call: readonly unknown[]): Promise<void> {
      calls.push([this.name, ...call]);
      return Promise.resolve();
    }
  }
  const redis = { defineCommand: () => undefined, options: {} } as never;
  const slotTokens = openSlotTokens({ bullmq: { Queue: PlayedQueue } } as never, redis, 'q');
  return { slotTokens, calls };
};

describe('the slot tokens of a queue', () => {
  it('are kept by BullMQ beside the deliveries, and tried for ever', () => {
    const once = { removeOnComplete: true };
    expect(world().calls).toEqual([
      [
        ...['open', 'turns', '{promptwire:q}:engine'],
        { ...once, attempts: 2 ** 31 - 1, backoff: { type: 'fixed', delay: 1_000 }, removeOnFail: true },
      ],
      [
        ...['open', 'deliveries', '{promptwire:q}:engine'],
        {
          ...{ ...once, attempts: 20, backoff: { type: 'exponential', delay: 1_000 } },
          removeOnFail: { age: 7 * 24 * 3600, count: 1_000 },
        },
      ],
    ]);
  });

  it('are added by ids that BullMQ takes, after their delay', async () => {
    const { slotTokens, calls } = world();
    calls.splice(0);
    await slotTokens.add('delayed');
    await slotTokens.addAll([{ id: 'a', delayMs: 0 }, { id: 'b', delayMs: 1 }, { id: 'c' }]);
    await slotTokens.addDelivery('wait');
    expect(calls).toEqual([
      ['turns', 'add', 'turn', {}, { jobId: 'id-delayed' }],
      ['turns', 'add', 'turn', {}, { jobId: 'a' }],
      ['turns', 'add', 'turn', {}, { jobId: 'b', delay: 1 }],
      ['turns', 'add', 'turn', {}, { jobId: 'c' }],
      ['deliveries', 'add', 'delivery', {}, { jobId: 'id-wait' }],
    ]);
  });

  it('are counted once they are due, and deliveries until they are over', async () => {
    const counts = { waiting: 3, prioritized: 2, delayed: 7, active: 11 };
    expect(await world(counts).slotTokens.due()).toBe(5);
    expect(await world(counts).slotTokens.deliveries()).toBe(21);
    expect([await world().slotTokens.due(), await world().slotTokens.deliveries()]).toEqual([0, 0]);
  });

  it('are limited, paused and resumed for all machines, and closed with the deliveries', async () => {
    const { slotTokens, calls } = world();
    calls.splice(0);
    await slotTokens.setLimit(4);
    await slotTokens.pause();
    await slotTokens.resume();
    await slotTokens.close();
    const both = ['turns', 'deliveries'].map((name) => [name, 'close']);
    expect(calls).toEqual([['turns', 'limit', 4], ['turns', 'pause'], ['turns', 'resume'], ...both]);
  });

  it('are none over servers, where the deliveries are the same', async () => {
    const { slotTokens, calls } = world({ waiting: 3, delayed: 7 });
    expect(slotTokensOf('account', slotTokens)).toBe(slotTokens);
    const over = slotTokensOf('servers', slotTokens);
    calls.splice(0);
    await over.add('a');
    await over.addAll([{ id: 'b' }]);
    await over.setLimit(4);
    await over.pause();
    await over.resume();
    expect(calls).toEqual([]);
    // So that no look at the queue finds any missing.
    expect([await over.due(), await over.deliveries()]).toEqual([Infinity, 10]);
    await over.addDelivery('x');
    expect(calls).toEqual([['deliveries', 'add', 'delivery', {}, { jobId: 'x' }]]);
  });
});

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeRedis } from '../describe-redis.js';
import { maintain } from '../../../src/server/queue/worker/maintenance.js';
import { limitTokens, setSlots } from '../../../src/server/queue/jobs/slots.js';
import { listenTo } from '../../../src/server/queue/telemetry/channels.js';
import { realClock } from '../../../src/core/platform/clock.js';
import { redisJobStore } from '../../../src/server/queue/store/redis-job-store.js';
import { redisQueueStore } from '../../../src/server/queue/store/redis-queue-store.js';
import { storeClock } from '../../../src/server/queue/store/store-clock.js';

type Command =
  | { readonly do: 'add'; readonly tenant: string; readonly priority: number; readonly isTurnLost: boolean }
  | { readonly do: 'begin' }
  | { readonly do: 'leave'; readonly nth: number; readonly as: 'waiting' | 'ended' | 'unknown' }
  | { readonly do: 'die' | 'lose the turn' | 'come late' | 'cancel'; readonly nth: number }
  | { readonly do: 'set the slots' | 'set the external ones'; readonly to: number }
  | { readonly do: 'keep up' };

const nth = fc.nat({ max: 5 });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      tenant: fc.constantFrom('a', 'b'),
      priority: fc.integer({ min: -1, max: 1 }),
      isTurnLost: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('begin' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('leave' as const),
      nth,
      as: fc.constantFrom('waiting' as const, 'ended' as const, 'unknown' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('die' as const, 'lose the turn' as const, 'come late' as const, 'cancel' as const),
      nth,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('set the slots' as const, 'set the external ones' as const),
      to: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('keep up' as const) }) },
);

/** A worker's hold on a job, as it knows of it itself. */
interface Hold {
  readonly turn: string;
  readonly job: string;
  readonly fence: number;
}

describeRedis((server) => {
  let names = 0;

  /**
   * A queue whose store is Redis and whose slot tokens are a model: a list of slot tokens that wait, and a set of those that run, at most as many as
   * the limit. What is known of the jobs is a map from each to its holder.
   */
  const world = () => {
    const name = `slots ${(names += 1)}`;
    const redis = server().connect();
    const store = redisJobStore({ redis, name, time: storeClock(() => 0) });
    const queueStore = redisQueueStore({ redis, name });
    const waiting = new Set<string>();
    const running = new Set<string>();
    const holders = new Map<string, Hold>();
    const late: Hold[] = [];
    const over = new Set<string>();
    const jobs: string[] = [];
    let limit = 1;
    let slots = 1;
    let external = 0;
    let count = 0;
    const addTurn = (id: string): Promise<void> => {
      if (!running.has(id)) waiting.add(id);
      return Promise.resolve();
    };
    const slotTokens = {
      add: addTurn,
      addAll: async (all: readonly { readonly id: string }[]) => {
        for (const { id } of all) await addTurn(id);
      },
      due: () => Promise.resolve(waiting.size),
      setLimit: (to: number) => {
        limit = to;
        return Promise.resolve();
      },
    };
    const trouble = { refused: () => undefined };
    const queue = { store, queueStore, slotTokens, trouble, clock: realClock } as never;
    const holding = (at: number): Hold | undefined => [...holders.values()][at % Math.max(1, holders.size)];
    const lookAfter = async (): Promise<void> => {
      let stop = (): void => undefined;
      await new Promise<void>((resolve) => {
        stop = listenTo('promptwire:queue:stats', (stats) => {
          if (stats.queue === name) resolve();
        });
        const looking = maintain(queue, { name, tellThrown: () => undefined });
        const before = stop;
        stop = () => {
          before();
          looking.unsubscribe();
        };
      });
      stop();
      expect(limit).toBe(Math.max(0, slots - external));
    };
    const begin = async (): Promise<boolean> => {
      const [turn] = waiting;
      if (turn === undefined || running.size >= limit) return false;
      waiting.delete(turn);
      running.add(turn);
      await take(turn);
      return true;
    };
    const take = async (turn: string): Promise<void> => {
      const held = await store.take(turn, `worker ${(count += 1)}`);
      if (held === undefined) {
        running.delete(turn);
        return;
      }
      // No job has two holders, unless its slot token is the same one: then the one before is late.
      const before = holders.get(held.id);
      if (before !== undefined) {
        expect(before.turn).toBe(turn);
        expect(held.fence).toBeGreaterThan(before.fence);
        late.push(before);
      }
      expect(over.has(held.id)).toBe(false);
      holders.set(held.id, { turn, job: held.id, fence: held.fence });
    };
    const leave = async ({ turn, job, fence }: Hold, as: 'waiting' | 'ended' | 'unknown'): Promise<void> => {
      expect(await store.leave({ id: job, fence }, as)).toBe(true);
      holders.delete(job);
      running.delete(turn);
      late.push({ turn, job, fence });
      if (as !== 'waiting') over.add(job);
      else waiting.add(turn);
    };
    const refuses = async ({ job: id, fence }: Hold): Promise<void> => {
      const intent = { attempt: 1, worker: 'late', submissionIds: 'none', submissionId: 'late' } as const;
      expect(await store.intend({ id, fence }, intent)).toBeUndefined();
      expect(await store.leave({ id, fence }, 'ended')).toBe(false);
      expect(await queueStore.append({ id, fence }, 'a', [{ type: 'cancelRequested', at: 0 }], true)).toBe(
        'none',
      );
    };
    const play = async (one: Command): Promise<void> => {
      switch (one.do) {
        case 'add': {
          const id = `job ${(count += 1)}`;
          await store.add({ id, workflow: {}, tenant: one.tenant, priority: one.priority });
          jobs.push(id);
          // A crash between the two leaves a job without a slot token.
          if (!one.isTurnLost) await slotTokens.add(id);
          return;
        }
        case 'begin':
          await begin();
          return;
        case 'set the slots':
          slots = one.to;
          await setSlots(queue, one.to);
          return;
        case 'set the external ones':
          external = one.to;
          await queueStore.setExternal(one.to, 60_000);
          await limitTokens(queue);
          return;
        case 'keep up':
          await lookAfter();
          return;
        case 'come late': {
          const hold = late[one.nth % Math.max(1, late.length)];
          if (hold !== undefined) await refuses(hold);
          return;
        }
        case 'cancel': {
          const id = jobs[one.nth];
          if (id === undefined) return;
          const phase = await store.cancel(id);
          expect(phase === 'held').toBe(holders.has(id));
          if (phase === 'waiting') over.add(id);
          return;
        }
        default: {
          const hold = holding(one.nth);
          if (hold === undefined) return;
          // A slot token that is lost runs nowhere, so no lock of it is over.
          if (one.do === 'leave') await leave(hold, one.as);
          else if (one.do === 'lose the turn') running.delete(hold.turn);
          else if (running.has(hold.turn)) await take(hold.turn);
        }
      }
    };
    const check = async (): Promise<void> => {
      const stats = await queueStore.stats();
      expect(stats.held).toBe(holders.size);
      expect((await queueStore.heldTokens()).toSorted()).toEqual(
        [...holders.values()].map(({ turn }) => turn).toSorted(),
      );
      expect(stats.waiting).toBe(jobs.length - holders.size - over.size);
      for (const hold of late) if (holders.has(hold.job)) await refuses(hold);
    };
    const drain = async (): Promise<void> => {
      external = 0;
      slots = 2;
      await queueStore.setExternal(0, 60_000);
      await setSlots(queue, 2);
      for (let steps = 0; over.size < jobs.length; steps += 1) {
        expect(steps).toBeLessThan(200);
        await lookAfter();
        // What ran before the limit sank goes on.
        const before = running.size;
        while (await begin());
        expect(running.size).toBeLessThanOrEqual(Math.max(before, limit));
        for (const hold of holders.values()) if (running.has(hold.turn)) await leave(hold, 'ended');
      }
    };
    return { play, check, drain, refuses, late, running, limitNow: () => limit };
  };

  it('law: no job has two holders, an old fence is refused, and no slot and no job is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 40, size: 'max' }), async (commands) => {
        const { play, check, drain, refuses, late, running, limitNow } = world();
        for (const one of commands) {
          const before = running.size;
          await play(one);
          // Where the limit sinks, what runs goes on.
          if (running.size > before) expect(running.size).toBeLessThanOrEqual(limitNow());
          await check();
        }
        await drain();
        await check();
        for (const hold of late) await refuses(hold);
      }),
      { numRuns: 40 },
    );
  });
});

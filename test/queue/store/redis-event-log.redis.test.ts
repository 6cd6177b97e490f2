import { expect, it } from 'vitest';
import { firstValueFrom, ReplaySubject } from 'rxjs';
import type { LifecycleEvent } from '../../../src/events/job-event.js';
import { redisEventLog } from '../../../src/queue/store/redis-event-log.js';
import { describeRedis } from '../redis.js';

const event = (at: number): LifecycleEvent => ({ type: 'cancelRequested', at });
const numbers = (from: number, to: number): readonly LifecycleEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => event(from + index));

describeRedis(
  (server) => {
    let logs = 0;
    const open = (name = `log ${(logs += 1)}`) => redisEventLog({ redis: server().connect(), name });
    const moments = (events: readonly { readonly event: LifecycleEvent }[]) =>
      events.map((one) => one.event.at);

    it('reads what was appended, in order, of an owner or of a job, from the beginning or after a position', async () => {
      const log = open();
      const ids = await log.append('o', 'x', numbers(1, 3));
      await log.append('o', 'y', numbers(4, 5));
      await log.append('other', 'x', numbers(6, 6));
      const all = await log.read({ owner: 'o' }, undefined, 100);
      expect(all.gap).toBe(false);
      expect(moments(all.events)).toEqual([1, 2, 3, 4, 5]);
      expect(all.events.map(({ jobId }) => jobId)).toEqual(['x', 'x', 'x', 'y', 'y']);
      expect(all.events.slice(0, 3).map(({ id }) => id)).toEqual(ids);
      expect(moments((await log.read({ owner: 'o' }, ids[1], 2)).events)).toEqual([3, 4]);
      expect(moments((await log.read({ owner: 'o', jobId: 'x' }, ids[0], 100)).events)).toEqual([2, 3]);
      expect(await log.read({ owner: 'o' }, await log.position('o'), 100)).toEqual({
        events: [],
        gap: false,
      });
    });

    it('gives a gap for a position that is none of the log', async () => {
      const log = open();
      const [first] = await log.append('o', 'x', numbers(1, 1));
      await log.append('other', 'x', numbers(1, 1));
      const foreign = await log.position('other');
      const beyond = String(first).replace(/1$/u, '7');
      for (const after of [foreign, beyond, 'nonsense', '']) {
        expect(await log.read({ owner: 'o' }, after, 10)).toEqual({ events: [], gap: true });
      }
      expect(await log.read({ owner: 'unheard of' }, first, 10)).toEqual({ events: [], gap: true });
      expect(await log.read({ owner: 'o', jobId: 'unheard of' }, undefined, 10)).toEqual({
        events: [],
        gap: true,
      });
      expect(await log.read({ owner: 'unheard of' }, undefined, 10)).toEqual({ events: [], gap: false });
    });

    it('forgets the events of one job, which is a gap for readers before them', async () => {
      const log = open();
      const [first] = await log.append('o', 'x', numbers(1, 1));
      const [second] = await log.append('o', 'y', numbers(2, 2));
      await log.append('o', 'x', numbers(3, 3));
      await log.expire('o', 'y');
      expect((await log.read({ owner: 'o' }, first, 10)).gap).toBe(true);
      expect(moments((await log.read({ owner: 'o' }, second, 10)).events)).toEqual([3]);
      expect(moments((await log.read({ owner: 'o' }, undefined, 10)).events)).toEqual([1, 3]);
      expect((await log.read({ owner: 'o', jobId: 'y' }, undefined, 10)).gap).toBe(true);
      expect(moments((await log.read({ owner: 'o', jobId: 'x' }, first, 10)).events)).toEqual([3]);
    });

    it('gives early and late readers the same events of many processes that append at once', async () => {
      const all = [open('shared log'), open('shared log'), open('shared log')] as const;
      await Promise.all(
        numbers(1, 300).map((one, index) =>
          (all[index % 3] ?? all[0]).append('o', `job ${index % 7}`, [one]),
        ),
      );
      const [early, late] = await Promise.all([
        all[0].read({ owner: 'o' }, undefined, 1_000),
        open('shared log').read({ owner: 'o' }, undefined, 1_000),
      ]);
      expect(early.events).toHaveLength(300);
      expect(late).toEqual(early);
    });

    it('says of appends of other processes, and not of its own', async () => {
      const log = open('news');
      const other = open('news');
      const news = new ReplaySubject<string>(10);
      const watched = other.changes?.subscribe(news);
      // Until the subscription is there, news are missed.
      const redis = server().connect();
      while ((await redis.pubsub('NUMSUB', '{promptwire:news}:appended'))[1] === 0);
      await other.append('own', 'x', numbers(1, 1));
      await log.append('foreign', 'x', numbers(1, 1));
      expect(await firstValueFrom(news)).toBe('foreign');
      watched?.unsubscribe();
    });

    it('keeps what it has confirmed when the server is killed, and appends once what waited meanwhile', async () => {
      const log = open();
      const [first] = await log.append('o', 'x', numbers(1, 1));
      await server().kill();
      const waiting = log.append('o', 'x', numbers(2, 3));
      await server().start();
      await waiting;
      expect(moments((await log.read({ owner: 'o' }, first, 10)).events)).toEqual([2, 3]);
    });
  },
  { isDurable: true },
);

import { expect, it } from 'vitest';
import { firstValueFrom, ReplaySubject, take, toArray } from 'rxjs';
import type { LifecycleEvent } from '../../../src/core/events/job-log-event.js';
import { redisEventLog } from '../../../src/server/queue/store/redis-event-log.js';
import { describeRedis } from '../describe-redis.js';
import { isAnEventLog } from '../../gateway/ports/log-contract.js';

const event = (at: number): LifecycleEvent => ({ type: 'cancelRequested', at });
const numbers = (from: number, to: number): readonly LifecycleEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => event(from + index));

describeRedis(
  (server) => {
    let logs = 0;
    const open = (name = `a log ${(logs += 1)}`) => redisEventLog({ redis: server().connect(), name });
    const moments = (events: readonly { readonly event: LifecycleEvent }[]) =>
      events.map((one) => one.event.at);

    // Each opens a connection of its own, which the server's end closes.
    isAnEventLog((name) => Promise.resolve(open(name)), 25, true);

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
      const log = open('notifications');
      const other = open('notifications');
      const notifications = new ReplaySubject<string>(10);
      const watched = other.changes.subscribe(notifications);
      // Until the subscription is there, notifications are missed.
      const redis = server().connect();
      while ((await redis.pubsub('NUMSUB', '{promptwire:notifications}:appended'))[1] === 0);
      await other.append('own', 'x', numbers(1, 1));
      await log.append('foreign', 'x', numbers(1, 1));
      expect(await firstValueFrom(notifications)).toBe('foreign');
      watched.unsubscribe();
    });

    it('says of each owner whose log it has used once its connection was lost and is back', async () => {
      const log = open('owners');
      await log.append('a', 'x', numbers(1, 1));
      await log.read({ owner: 'b' }, undefined, 1);
      const told = log.changes.pipe(take(2), toArray());
      const owners = firstValueFrom(told);
      const redis = server().connect();
      while ((await redis.pubsub('NUMSUB', '{promptwire:owners}:appended'))[1] === 0);
      await redis.client('KILL', 'TYPE', 'PUBSUB');
      expect((await owners).toSorted()).toEqual(['a', 'b']);
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

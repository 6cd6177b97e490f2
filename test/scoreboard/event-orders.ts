import { interleavings } from '../simulation/interleavings.js';
import type { MakeClient } from '../simulation/play.js';
import { playOrder } from '../simulation/play-order.js';
import type { Figure, Range, Tally } from './figure.js';
import { watchProcess } from './process-health.js';

/** Every order of a job's events, its answers, a drop and a leave that causality allows. */
export const eventOrders: Figure = {
  id: 'event-orders',
  what: 'all orders of POST answer, 5 events, drop and reopen, poll answer, unsubscribe; by run and by submit, in both dialects',
  target: '0 violations in all orders, ≥ 10,000 in each dialect',
  count: 15_120,
  splits: true,
  run: (range) => playOrders(range),
};

/** Plays the orders of a range, counted from 1. */
export const playOrders = async ({ from, count }: Range, makeClient?: MakeClient): Promise<Tally> => {
  const seenByProcess = watchProcess();
  const counts = { orders: 0, jobs: 0, 'local jobs': 0, violations: 0, lost: 0, wrong: 0, doubled: 0 };
  const problems: string[] = [];
  let number = 0;
  for (const order of interleavings()) {
    number += 1;
    if (number < from || number >= from + count) continue;
    counts.orders += 1;
    for (const [dialect, via] of ways) {
      const { violations, lost, wrong, doubled } = await playOrder(order, via, { makeClient, dialect });
      counts.jobs += 1;
      if (dialect === 'local') counts['local jobs'] += 1;
      counts.violations += violations.length;
      counts.lost += lost;
      counts.wrong += wrong;
      counts.doubled += doubled;
      if (violations.length > 0)
        problems.push(
          `${violations[0]!}: ${order.join(' → ')} (${via}, ${dialect}); npm run replay -- event-orders --seed ${number}`,
        );
    }
  }
  return { counts, problems: [...problems, ...(await seenByProcess())] };
};

/** Each order is played by both calls in both dialects. */
export const ways = [
  ['cloud', 'run'],
  ['cloud', 'submit'],
  ['local', 'run'],
  ['local', 'submit'],
] as const;

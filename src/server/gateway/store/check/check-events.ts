import { below, keyOf, partsOf, type Table } from '../keys.js';
import { compareKeys, compareValue, type Repairs, valuesOf } from './repairs.js';
import {
  type EventTotals,
  type JobHead,
  noEvents,
  numberAt,
  orderKey,
  type OwnerHead,
  totalKey,
} from '../event-values.js';
import { checkShares } from './check-shares.js';
import { eventShares } from '../shares.js';
import { get, type View } from '../view.js';
import { type KnownLog, rebuildLog } from './rebuild-log.js';

/**
 * Checks the logs of all owners by their counts and their last positions, and rebuilds from its events each one that does not
 * agree with itself; with `all`, each one. It reads no event of a log that agrees. Resolves with the logs of all jobs.
 */
export const checkEvents = async (
  view: View,
  repairs: Repairs,
  all: boolean,
): Promise<readonly JobHead[]> => {
  const logs = new Map<string, KnownLog>();
  const logOf = (owner: string): KnownLog => {
    const known = logs.get(owner) ?? { head: undefined, jobs: [], isDamaged: false };
    logs.set(owner, known);
    return known;
  };
  const markDamaged = (key: string): void => {
    const [owner] = partsOf(key) ?? [];
    if (owner !== undefined) logOf(owner).isDamaged = true;
  };
  for await (const [, head] of valuesOf<OwnerHead>(view, repairs, below('owner'), markDamaged))
    logOf(head.owner).head = head;
  for await (const [, job] of valuesOf<JobHead>(view, repairs, below('log'), markDamaged))
    logOf(job.owner).jobs.push(job);
  for (const table of ['event', 'event-of'] as const)
    for await (const owner of ownersIn(view, table))
      if (logOf(owner).head === undefined) logOf(owner).isDamaged = true;

  const jobs: JobHead[] = [];
  for (const [owner, log] of logs) {
    const isWhole = !all && !log.isDamaged && (await agrees(view, owner, log));
    jobs.push(...(isWhole ? log.jobs : await rebuildLog(view, repairs, owner, log)));
  }
  const withEvents = jobs.filter(({ events }) => events > 0);
  await compareKeys(view, repairs, 'log-of', new Set(withEvents.map(orderKey)));
  const held = withEvents.map(({ owner, events, size }) => ({ owner, share: { events, size } }));
  await checkShares(view, repairs, eventShares, held);
  const known = await get<EventTotals>(view, totalKey);
  const totals: EventTotals = {
    events: jobs.reduce((sum, { events }) => sum + events, 0),
    size: jobs.reduce((sum, { size }) => sum + size, 0),
    place: jobs.reduce((last, { place }) => Math.max(last, place), known?.place ?? 0),
  };
  await compareValue(view, repairs, totalKey, totals, noEvents);
  return jobs;
};

/** Whether the counts of a log and its last position are those of its jobs and events. */
const agrees = async (view: View, owner: string, { head, jobs }: KnownLog): Promise<boolean> => {
  if (head === undefined) return false;
  const [newest] = await view.page({ ...below('event', owner), reverse: true, limit: 1 });
  const last = newest === undefined ? 0 : numberAt(newest[0]);
  const lastOf = (some: readonly JobHead[]): number =>
    some.reduce((most, job) => Math.max(most, job.last), 0);
  return (
    head.jobs === jobs.length &&
    head.events === jobs.reduce((sum, { events }) => sum + events, 0) &&
    head.cutJobs === jobs.filter(({ lostTo }) => lostTo > 0).length &&
    last >= lastOf(jobs.filter((job) => job.last > job.lostTo)) &&
    last <= lastOf(jobs) &&
    lastOf(jobs) <= head.last
  );
};

/** The owners that have entries in a table, one look for each. */
async function* ownersIn(view: View, table: Table): AsyncGenerator<string> {
  let range = below(table);
  for (;;) {
    const [next] = await view.page({ ...range, limit: 1 });
    if (next === undefined) return;
    const [owner] = partsOf(next[0]) ?? [];
    if (owner !== undefined) yield owner;
    const own = owner === undefined ? undefined : below(table, owner).lt;
    range = { gt: own === undefined || own <= next[0] ? next[0] : own, lt: range.lt ?? keyOf(table) };
  }
}

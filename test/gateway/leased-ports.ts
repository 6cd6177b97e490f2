import { filter, map, Subject } from 'rxjs';
import type { EventLog } from '../../src/server/joblog/event-log.js';
import type { JobIndex, Lease } from '../../src/server/joblog/job-index.js';
import { memoryEventLog } from '../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../src/server/gateway/store/memory-job-index.js';
import type { VirtualClock } from '../../src/testing/virtual-clock.js';

/** One index and one log in memory, and the ports of each process to them. */
export const leasedPorts = (clock: VirtualClock) => {
  const index = memoryJobIndex();
  const log = memoryEventLog();
  const appended = new Subject<{ readonly owner: string; readonly by: string }>();
  const leases = new Map<string, { readonly process: string; readonly until: number }>();
  /** The processes that reach neither index nor log. */
  const cutOff = new Set<string>();
  const reach = <Answer>(by: string, answer: () => Promise<Answer>): Promise<Answer> =>
    cutOff.has(by) ? Promise.reject(new Error('The store is away.')) : answer();
  const isFree = (id: string): boolean => (leases.get(id)?.until ?? 0) <= clock.now();
  const give = (id: string, { process, forMs }: Lease): void => {
    leases.set(id, { process, until: clock.now() + forMs });
  };

  const portsOf = (by: string): { readonly index: JobIndex; readonly log: EventLog } => ({
    index: {
      ...index,
      add: async (record, lease) => {
        const result = await index.add(record);
        if (result._tag === 'added' && lease !== undefined) give(record.id, lease);
        return result;
      },
      leases: {
        renew: (ids, lease) =>
          reach(by, () => {
            const lost = ids.filter((id) => leases.get(id)?.process !== lease.process);
            for (const id of ids) if (!lost.includes(id)) give(id, lease);
            return Promise.resolve(lost);
          }),
        acquire: (lease) =>
          reach(by, async () => {
            const records = await index.list(undefined, { limit: 1_000 });
            const free = records.filter(({ id, ended }) => ended === undefined && isFree(id));
            for (const { id } of free) give(id, lease);
            return free;
          }),
      },
      get: (id) => reach(by, () => index.get(id)),
    },
    log: {
      ...log,
      append: (owner, jobId, events) =>
        reach(by, async () => {
          const ids = await log.append(owner, jobId, events);
          appended.next({ owner, by });
          return ids;
        }),
      read: (...args) => reach(by, () => log.read(...args)),
      changes: appended.pipe(
        filter((one) => one.by !== by),
        map(({ owner }) => owner),
      ),
    },
  });
  return { portsOf, cutOff, log };
};

import type { AgainJob, PlacedJob } from '../../../../src/server/queue/servers/server-store.js';
import type { KnownServer, QueueSnapshot } from '../../../../src/server/queue/servers/queue-snapshot.js';
import type { QueueRecord } from '../../../../src/server/queue/store/job-store.js';
import type { ServerReport } from '../../../../src/server/queue/servers/server-report.js';

/** What a worker reports of a server that is up and takes jobs. */
export const report = (more: Partial<ServerReport> = {}): ServerReport => ({
  ...{ baseUrl: 'http://attic', health: 'up', since: 0, slots: 1, speed: 1, isUp: true, takes: true },
  ...{ tags: [], rerunsLost: true, can: {}, failing: [] },
  ...more,
});

/** What a queue knows of a server, whose reports are those of the workers `w`, `w2` and so on. */
export const known = (
  name: string,
  reports: readonly ServerReport[] = [report()],
  more: Partial<KnownServer> = {},
): KnownServer => ({
  ...{ name, last: reports[0] ?? report(), mode: 'active', uses: [], models: [], open: 0 },
  ...{ done: 0, failed: 0, lost: 0, lateEnds: 0 },
  reports: new Map(reports.map((one, index) => [index === 0 ? 'w' : `w${index + 1}`, one])),
  ...more,
});

/** A look at a queue with these servers, at which nothing waits. */
export const lookAt = (
  servers: readonly KnownServer[],
  more: Partial<QueueSnapshot> = {},
): QueueSnapshot => ({
  ...{ now: 1_000, isPaused: false, own: [], waiting: 0, first: [] },
  servers: new Map(servers.map((one) => [one.name, one])),
  ...more,
});

interface PlacedOptions extends Partial<Omit<PlacedJob, 'job'>> {
  readonly job?: Partial<QueueRecord>;
}

/** A job that a worker got for the server `attic`. */
export const placed = (id: string, { job, ...more }: PlacedOptions = {}): PlacedJob => ({
  ...{ id, fence: 3, record: {}, server: 'attic', modelsBefore: ['a'] },
  ...more,
  job: { id, tenant: 't', priority: 0, phase: 'held', createdAt: 5, ...job },
});

/** What a call to submit a job once more says, with the first words of its new log. */
export const saidOf = ({ event, ...call }: AgainJob) => {
  const told = event?.(2);
  if (told?.type !== 'status') return call;
  const { phase, warnings, attempt } = told.status as typeof told.status & { readonly attempt?: number };
  return { ...call, at: told.at, phase, warnings, attempt };
};

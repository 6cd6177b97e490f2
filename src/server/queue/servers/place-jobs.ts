import { assign } from '../../../client/pool/assign.js';
import type { AssignableJob, AssignableServer } from '../../../client/pool/assignable.js';
import { groupedBy } from '../../../core/state/grouped-by.js';
import { msLeft } from '../../../client/pool/ms-left.js';
import type { KnownServer, QueueSnapshot, WaitingForServer } from './queue-snapshot.js';
import { preferred } from '../../../client/pool/failing.js';
import type { Placement } from '../../../client/pool/placement.js';
import type { RunTimes } from '../../../client/pool/run-times.js';
import { verdictOf } from './verdict.js';
import { workAsked } from './asked-work.js';

/** The choice that follows from a snapshot of a queue over servers. */
export interface Places {
  /** Jobs that servers have a place for, in the order in which they are given. */
  readonly given: readonly (readonly [job: WaitingForServer, server: string])[];
  /** Jobs that no server can run, and why. */
  readonly refused: readonly (readonly [job: WaitingForServer, reason: string])[];
  /** Jobs of which a server's worker does not know yet whether it can run them. */
  readonly unknown: readonly (readonly [job: WaitingForServer, server: string])[];
  /** Jobs for which the placement threw, and what: they wait. */
  readonly broken: readonly (readonly [job: WaitingForServer, cause: unknown])[];
}

/** The placement and the run times by which servers are chosen. */
export interface PlacingOptions {
  readonly placement: Placement;
  readonly times: Pick<RunTimes, 'runMs' | 'loadMs'>;
}

/**
 * Chooses servers for waiting jobs, over all servers that any living worker brings: pure, so that each worker comes to the same choice by the
 * same snapshot, and takes those of its own servers.
 *
 * Jobs go in the order of their turns, but for a server that is better used by one that has its models loaded.
 */
export const placeJobs = (snapshot: QueueSnapshot, { placement, times }: PlacingOptions): Places => {
  if (snapshot.isPaused) return { given: [], refused: [], unknown: [], broken: [] };
  const servers = [...snapshot.servers.values()];
  const outlooks = snapshot.first.map((job, number) => ({ job, number, ...outlookOf(job, servers) }));
  const refused = outlooks.flatMap(({ job, reason }) =>
    reason === undefined ? [] : [[job, reason] as const],
  );
  const unknown = outlooks.flatMap(({ job, asked }) => asked.map((server) => [job, server] as const));
  const jobs = outlooks.map(({ job, number, able }) => ({ ...waiting(job, number), job, able }));
  const groups = [...groupedBy(jobs, ({ able, job }) => `${job.asked.needs} ${[...able].join('\n')}`)];
  const broken: (readonly [WaitingForServer, unknown])[] = [];
  const given = assign(
    groups.map(([, all]) => ({ sample: all[0] as (typeof jobs)[number], jobs: new Set(all) })),
    servers.filter(takesJobs).map((server) => loadOf(server, snapshot.now)),
    {
      placement,
      now: snapshot.now,
      ableFor: ({ able }) => able,
      preferredFor: ({ job }, able) => preferred(able, (name) => fails(name, job, snapshot)),
      runMs: times.runMs,
      loadMs: times.loadMs,
      threw: ({ job }, cause) => void broken.push([job, cause]),
    },
  );
  return { refused, unknown, broken, given: given.map(([{ job }, server]) => [job, server] as const) };
};

/** Whether work of a job's shape failed on a server just now, by any living worker. */
const fails = (name: string, { asked }: WaitingForServer, { servers }: QueueSnapshot): boolean =>
  [...(servers.get(name)?.reports.values() ?? [])].some(({ failing }) => failing.includes(asked.shape));

const waiting = ({ asked, since, attempt }: WaitingForServer, number: number): AssignableJob => ({
  ...{ number, since, attempt, tags: asked.tags },
  work: workAsked(asked),
});

interface JobOutlook {
  /** The servers that can run it, and are there. */
  readonly able: ReadonlySet<string>;
  /** Those that have to be asked. */
  readonly asked: readonly string[];
  /** Why none can run it; absent if one may. */
  readonly reason?: string;
}

const outlookOf = ({ asked, refusedBy }: WaitingForServer, servers: readonly KnownServer[]): JobOutlook => {
  const verdicts = servers.map((server) => ({ server, verdict: verdictOf(server, asked, refusedBy) }));
  const named = (wanted: string): readonly string[] =>
    verdicts.filter(({ verdict }) => verdict === wanted).map(({ server }) => server.name);
  const reasons = verdicts.flatMap(({ server, verdict }) =>
    verdict.startsWith('no: ') ? [[server.name, verdict.slice('no: '.length)] as const] : [],
  );
  const isImpossible = servers.length > 0 && reasons.length === servers.length;
  return {
    able: new Set(named('able')),
    asked: named('unknown'),
    ...(isImpossible && { reason: union(reasons) }),
  };
};

/** The union of the reasons; a reason that all servers give concerns the workflow, and no server is named. */
const union = (reasons: readonly (readonly [server: string, reason: string])[]): string => {
  const [first] = reasons;
  if (first !== undefined && reasons.every(([, reason]) => reason === first[1])) return first[1];
  const shown = reasons.slice(0, maxShown).map(([server, reason]) => `${server}: ${reason}`);
  const more = reasons.length - shown.length;
  return `No server of the queue can run the workflow. ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
};

const maxShown = 5;

const takesJobs = ({ mode, reports }: KnownServer): boolean =>
  mode === 'active' && [...reports.values()].some(({ takes }) => takes);

/** How many jobs a server runs at once: the fewest that a living worker reports. */
export const slotsOfServer = ({ reports }: Pick<KnownServer, 'reports'>): number =>
  Math.min(...[...reports.values()].map(({ slots }) => slots));

const loadOf = (server: KnownServer, now: number): AssignableServer => {
  const { name, uses, models } = server;
  const slots = slotsOfServer(server);
  const left = uses.reduce((all, { at, ms }) => all + msLeft(ms, now - at), 0);
  const room = Math.max(0, slots - uses.length);
  return { name, slots, room, models, workMs: room > 0 ? 0 : left / slots };
};

import type {
  AssignableGroup,
  AssignableJob,
  AssignableServer,
  Assignment,
  OpenGroup,
} from './assignable.js';
import { groupedBy } from '../../core/state/grouped-by.js';
import { type Loading, loadingOf } from './loading.js';
import type { PlacementServer } from './placement.js';
import { rememberedTimes } from './remembered-times.js';
import type { Work } from './work.js';

/** How many waiting jobs are considered before a server with room takes the first one whose models it has. */
const lookAhead = 64;

/**
 * Gives waiting jobs to servers with room, the oldest first, as long as there is room for any.
 *
 * A job whose best server has no room waits for it, and counts there as work before the next job. So a busy server with the right models
 * may be worth waiting for; but no server with room stays idle while more jobs wait than were considered. The time is in proportion to the
 * servers and to the kinds of jobs, and does not grow with the number of waiting jobs.
 */
export const assign = <Job extends AssignableJob>(
  groups: readonly AssignableGroup<Job>[],
  servers: readonly AssignableServer[],
  given: Assignment<Job>,
): readonly (readonly [job: Job, server: string])[] => {
  const broken = new Set<Job>();
  const threw = (job: Job, cause: unknown): void => {
    broken.add(job);
    given.threw(job, cause);
  };
  const assignment = { ...given, ...rememberedTimes(given), threw };
  const loads = servers.map((server) => ({ ...server }));
  const withRoom = (): ReadonlySet<string> => new Set(loads.filter(({ room }) => room > 0).map(nameOf));
  const open = openGroups(groups, withRoom(), assignment);
  const known = new Map(servers.map((server) => [server.name, server]));
  let loading = loadingOf(open, servers, assignment);
  const looked = oldest(open, assignment);
  const found: (readonly [Looked<Job>, string])[] = [];
  for (const one of looked) {
    if (!loads.some(({ room }) => room > 0)) break;
    const choice = loads.filter((server) => one.able.has(server.name) && loading.mayLoad(one.job, server));
    const name = choose(one.job, choice, { ...assignment, loading });
    const server = choice.find((each) => each.name === name);
    if (server === undefined) continue;
    if (server.room > 0) found.push([one, server.name]);
    const before = known.get(server.name);
    if (
      server.room > 0 &&
      before !== undefined &&
      assignment.loadMs(server.name, one.job.work, server.models) > 0
    ) {
      // Servers that become free together must not all turn to the same family.
      known.set(server.name, { ...before, models: one.job.work.models });
      loading = loadingOf(open, [...known.values()], assignment, loading);
    }
    take(server, one.job.work, assignment);
  }
  const placed = inTurn(
    found,
    looked.filter(({ job }) => !broken.has(job)),
  );
  return [
    ...placed,
    ...forIdle(open, loads, new Set([...broken, ...placed.map(([job]) => job)]), { ...assignment, loading }),
  ];
};

/** A job that is considered. */
interface Looked<Job> {
  readonly job: Job;
  readonly able: ReadonlySet<string>;
  /** Equal for jobs that are interchangeable. */
  readonly kind: string;
}

/** Among interchangeable jobs the older ones go first, even if places were found for the younger ones. */
const inTurn = <Job>(
  found: readonly (readonly [Looked<Job>, string])[],
  looked: readonly Looked<Job>[],
): readonly (readonly [Job, string])[] => {
  const turns = new Map(
    [...groupedBy(looked, ({ kind }) => kind)].map(([kind, all]) => [kind, all.values()] as const),
  );
  return found.map(([{ job, kind }, server]) => [turns.get(kind)?.next().value?.job ?? job, server]);
};

interface Load extends Omit<AssignableServer, 'room' | 'workMs' | 'models'> {
  room: number;
  workMs: number;
  models: readonly string[];
}

type Times = Pick<Assignment<never>, 'runMs' | 'loadMs'>;

const nameOf = ({ name }: { readonly name: string }): string => name;

/** Groups of which any can be given now. */
const openGroups = <Job extends AssignableJob>(
  groups: readonly AssignableGroup<Job>[],
  withRoom: ReadonlySet<string>,
  { ableFor }: Assignment<Job>,
): readonly OpenGroup<Job>[] =>
  withRoom.size === 0
    ? []
    : groups
        .map((group) => ({ ...group, able: ableFor(group.sample) }))
        .filter(({ able }) => [...withRoom].some((name) => able.has(name)));

/** The jobs that are considered, in the order of their numbers. */
const oldest = <Job extends AssignableJob>(
  groups: readonly OpenGroup<Job>[],
  { preferredFor }: Pick<Assignment<Job>, 'preferredFor'>,
): readonly Looked<Job>[] => {
  const byKind = new Map<string, ReadonlySet<string>>();
  return groups
    .flatMap(({ jobs, able }, index) =>
      first(jobs, lookAhead).map((job) => ({ job, able, kind: `${index}\n${job.work.shape}` })),
    )
    .toSorted((one, other) => one.job.number - other.job.number)
    .slice(0, lookAhead)
    .map(({ job, able, kind }) => {
      const own = byKind.get(kind) ?? preferredFor(job, able);
      byKind.set(kind, own);
      return { job, able: own, kind };
    });
};

const first = <A>(values: Iterable<A>, count: number): readonly A[] => {
  const taken: A[] = [];
  for (const value of values) {
    if (taken.length === count) break;
    taken.push(value);
  }
  return taken;
};

const choose = <Job extends AssignableJob>(
  job: Job,
  servers: readonly Load[],
  {
    placement,
    now,
    runMs,
    threw,
    loading,
  }: Pick<Assignment<Job>, 'placement' | 'now' | 'runMs' | 'threw'> & { readonly loading: Loading },
): string | undefined => {
  const { work, tags, since, attempt } = job;
  try {
    return placement(
      { shape: work.shape, models: work.models, tags, waitedMs: now - since, attempt },
      servers.map((server): PlacementServer => ({
        name: server.name,
        hasRoom: server.room > 0,
        workMs: server.workMs,
        loadMs: loading.weighedMs(server, work),
        runMs: runMs(server.name, work),
      })),
    );
  } catch (cause) {
    threw(job, cause);
    return undefined;
  }
};

const take = (server: Load, work: Work, { runMs, loadMs }: Times): void => {
  server.workMs += (runMs(server.name, work) + loadMs(server.name, work, server.models)) / server.slots;
  server.models = work.models.length === 0 ? server.models : work.models;
  server.room -= 1;
};

/**
 * The first job for each server that would stay idle although more jobs wait than were considered: one whose models it has, or one of the
 * family that would be done last, if it ends here before the others of that family are done elsewhere.
 */
const forIdle = <Job extends AssignableJob>(
  groups: readonly OpenGroup<Job>[],
  servers: readonly Load[],
  given: Set<Job>,
  {
    runMs,
    loadMs,
    loading,
    preferredFor,
  }: Pick<Assignment<Job>, 'runMs' | 'loadMs' | 'preferredFor'> & {
    readonly loading: Loading;
  },
): readonly (readonly [Job, string])[] => {
  const waiting = groups.reduce((all, { jobs }) => all + jobs.size, 0);
  if (waiting <= lookAhead) return [];
  return servers
    .filter(({ room, workMs }) => room > 0 && workMs === 0)
    .flatMap((server): (readonly [Job, string])[] => {
      const heads = groups
        .filter(({ able }) => able.has(server.name))
        .flatMap(({ jobs, able }) =>
          first(notIn(jobs, given), 1).filter((job) => preferredFor(job, able).has(server.name)),
        )
        .map((job) => ({ job, load: loadMs(server.name, job.work, server.models) }))
        .filter(({ job, load }) => load === 0 || load + runMs(server.name, job.work) < loading.doneInMs(job))
        .toSorted(
          (one, other) =>
            Number(one.load > 0) - Number(other.load > 0) ||
            loading.doneInMs(other.job) - loading.doneInMs(one.job) ||
            one.job.number - other.job.number,
        );
      const [head] = heads;
      if (head === undefined) return [];
      given.add(head.job);
      return [[head.job, server.name]];
    });
};

const notIn = function* <A>(values: Iterable<A>, others: ReadonlySet<A>): Iterable<A> {
  for (const value of values) if (!others.has(value)) yield value;
};

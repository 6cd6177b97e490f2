import type { Placement, PlacementServer } from './placement.js';
import type { WaitingJob } from './waiting-jobs.js';
import type { Work } from './work.js';

/** What the assignment of jobs knows of one server. */
export interface AssignableServer {
  readonly name: string;
  /** How many jobs it takes now. */
  readonly room: number;
  /** How many jobs it runs at once. */
  readonly slots: number;
  /** How long until it has done what it holds, in milliseconds, of each of its slots. */
  readonly workMs: number;
  /** The models of the last job that it holds, or else of the last that it ran. */
  readonly models: readonly string[];
}

/** A waiting job, as far as its place depends on it. */
export type AssignableJob = Pick<WaitingJob, 'number' | 'work' | 'tags' | 'since' | 'attempt'>;

/** Jobs that the same servers can run, in the order of their numbers. */
export interface AssignableGroup<Job extends AssignableJob> {
  /** One of them: what it asks of a server, all of them ask. */
  readonly sample: Job;
  readonly jobs: ReadonlySet<Job>;
}

/** What {@link assign} asks of the pool. */
export interface Assignment<Job extends AssignableJob> {
  readonly placement: Placement;
  readonly now: number;
  /** The servers that can run a job, whether they have room or not; empty while that is not known. */
  readonly ableFor: (job: Job) => ReadonlySet<string>;
  readonly runMs: (server: string, work: Work) => number;
  readonly loadMs: (server: string, work: Work, loaded: readonly string[]) => number;
}

/** So many waiting jobs are looked at before a server with room takes the first that it has the models of. */
const lookAhead = 64;

/**
 * Gives waiting jobs to servers with room, the oldest first, as long as there is room for any.
 *
 * A job whose best server has no room waits for it, and counts there as work before the next job. So a busy server with the right models
 * may be worth waiting for; but no server with room stays idle while more jobs wait than were looked at. The time is in proportion to the
 * servers and to the kinds of jobs, and does not grow with the number of waiting jobs.
 */
export const assign = <Job extends AssignableJob>(
  groups: readonly AssignableGroup<Job>[],
  servers: readonly AssignableServer[],
  assignment: Assignment<Job>,
): readonly (readonly [job: Job, server: string])[] => {
  const loads = servers.map((server) => ({ ...server }));
  const withRoom = (): ReadonlySet<string> => new Set(loads.filter(({ room }) => room > 0).map(nameOf));
  const open = openGroups(groups, withRoom(), assignment);
  const mayLoad = loadingPays(open, servers, assignment);
  const looked = oldest(open);
  const found: (readonly [Looked<Job>, string])[] = [];
  for (const one of looked) {
    if (!loads.some(({ room }) => room > 0)) break;
    const choice = loads.filter((server) => one.able.has(server.name) && mayLoad(one.job, server));
    const name = choose(one.job, choice, assignment);
    const server = choice.find((each) => each.name === name);
    if (server === undefined) continue;
    if (server.room > 0) found.push([one, server.name]);
    take(server, one.job.work, assignment);
  }
  const given = inTurn(found, looked);
  return [...given, ...forIdle(open, loads, new Set(given.map(([job]) => job)), assignment)];
};

/** A job that is looked at. */
interface Looked<Job> {
  readonly job: Job;
  readonly able: ReadonlySet<string>;
  /** Equal for jobs that can stand for each other. */
  readonly kind: string;
}

/** Of jobs that can stand for each other the older ones go first, also where the younger ones found the places. */
const inTurn = <Job>(
  found: readonly (readonly [Looked<Job>, string])[],
  looked: readonly Looked<Job>[],
): readonly (readonly [Job, string])[] => {
  const turns = new Map(
    [...groupedBy(looked, ({ kind }) => kind)].map(([kind, all]) => [kind, all.values()] as const),
  );
  return found.map(([{ job, kind }, server]) => [turns.get(kind)?.next().value?.job ?? job, server]);
};

interface OpenGroup<Job extends AssignableJob> extends AssignableGroup<Job> {
  readonly able: ReadonlySet<string>;
}

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

/** The jobs that are looked at, in the order of their numbers. */
const oldest = <Job extends AssignableJob>(groups: readonly OpenGroup<Job>[]): readonly Looked<Job>[] =>
  groups
    .flatMap(({ jobs, able }, index) =>
      first(jobs, lookAhead).map((job) => ({ job, able, kind: `${index}\n${job.work.shape}` })),
    )
    .toSorted((one, other) => one.job.number - other.job.number)
    .slice(0, lookAhead);

const first = <A>(values: Iterable<A>, count: number): readonly A[] => {
  const taken: A[] = [];
  for (const value of values) {
    if (taken.length === count) break;
    taken.push(value);
  }
  return taken;
};

const choose = (
  { work, tags, since, attempt }: AssignableJob,
  servers: readonly Load[],
  { placement, now, runMs, loadMs }: Omit<Assignment<never>, 'ableFor'>,
): string | undefined =>
  placement(
    { shape: work.shape, models: work.models, tags, waitedMs: now - since, attempt },
    servers.map(({ name, room, workMs, models }): PlacementServer => ({
      name,
      hasRoom: room > 0,
      workMs,
      loadMs: loadMs(name, work, models),
      runMs: runMs(name, work),
    })),
  );

const take = (server: Load, work: Work, { runMs, loadMs }: Times): void => {
  server.workMs += (runMs(server.name, work) + loadMs(server.name, work, server.models)) / server.slots;
  server.models = work.models.length === 0 ? server.models : work.models;
  server.room -= 1;
};

/**
 * Whether a server should load other models for a job: not while jobs wait that it has the models of, unless much more work waits for each
 * server with the models of this job, or the job has waited much longer than they. Otherwise servers would go on loading in turns.
 */
const loadingPays = <Job extends AssignableJob>(
  groups: readonly OpenGroup<Job>[],
  servers: readonly AssignableServer[],
  { runMs, loadMs }: Times,
): ((job: Job, server: Load) => boolean) => {
  const families = groupedBy(groups, ({ sample }) => familyOf(sample));
  const serves = (family: readonly OpenGroup<Job>[], { name, models }: AssignableServer): boolean =>
    family.some(({ sample, able }) => able.has(name) && loadMs(name, sample.work, models) === 0);
  const own = new Map(
    servers.map((server) => [
      server.name,
      [...families].filter(([, family]) => serves(family, server)).map(([key]) => key),
    ]),
  );
  const serving = countedBy([...own.values()].flat());
  /** The waiting work of a family for each server that has its models, as long as this one would take for it. */
  const pressure = (key: string, name: string): number =>
    (families.get(key) ?? []).reduce(
      (all, { sample, jobs }) => all + jobs.size * runMs(name, sample.work),
      0,
    ) / (serving.get(key) ?? 1);
  const oldestOf = (key: string): number =>
    Math.min(...(families.get(key) ?? []).map(({ sample }) => sample.since));

  return (job, { name, models }) => {
    const load = loadMs(name, job.work, models);
    const warm = own.get(name) ?? [];
    if (load === 0 || warm.length === 0) return true;
    return (
      Math.min(...warm.map(oldestOf)) - job.since > patience * load ||
      pressure(familyOf(job), name) > Math.max(...warm.map((key) => pressure(key, name))) + loadsWorth * load
    );
  };
};

const familyOf = ({ work }: AssignableJob): string => work.models.join('\n');

const countedBy = (keys: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...groupedBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));

/** A job that has waited longer than these by so many loads gets its turn. */
const patience = 10;

/** Loading has to save so many times what it costs. */
const loadsWorth = 8;

const groupedBy = <A>(values: readonly A[], keyOf: (value: A) => string): ReadonlyMap<string, readonly A[]> =>
  values.reduce((groups, value) => {
    const key = keyOf(value);
    return groups.set(key, [...(groups.get(key) ?? []), value]);
  }, new Map<string, readonly A[]>());

/** The first job for each server that would stay idle though more jobs wait than were looked at: one that it has the models of, if any. */
const forIdle = <Job extends AssignableJob>(
  groups: readonly OpenGroup<Job>[],
  servers: readonly Load[],
  given: Set<Job>,
  assignment: Times,
): readonly (readonly [Job, string])[] => {
  const waiting = groups.reduce((all, { jobs }) => all + jobs.size, 0);
  if (waiting <= lookAhead) return [];
  return servers
    .filter(({ room, workMs }) => room > 0 && workMs === 0)
    .flatMap((server): (readonly [Job, string])[] => {
      const heads = groups
        .filter(({ able }) => able.has(server.name))
        .flatMap(({ jobs }) => first(notIn(jobs, given), 1))
        .map((job) => ({ job, load: assignment.loadMs(server.name, job.work, server.models) }))
        .toSorted((one, other) => one.load - other.load || one.job.number - other.job.number);
      const [head] = heads;
      if (head === undefined) return [];
      given.add(head.job);
      return [[head.job, server.name]];
    });
};

const notIn = function* <A>(values: Iterable<A>, others: ReadonlySet<A>): Iterable<A> {
  for (const value of values) if (!others.has(value)) yield value;
};

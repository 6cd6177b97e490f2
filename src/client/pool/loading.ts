import type { AssignableJob, AssignableServer, Assignment, OpenGroup } from './assignable.js';
import { groupedBy } from '../../core/state/grouped-by.js';
import type { Work } from './work.js';

/** What loading other models means for the choice of servers, while these jobs wait. */
export interface Loading {
  /** What loading the models of such work counts in the choice of a server, in milliseconds. */
  readonly weighedMs: (server: Pick<AssignableServer, 'name' | 'models'>, work: Work) => number;
  /** How long the family takes that would be done last. */
  readonly longestMs: number;
  /** How long the servers with the models of a job take for all that waits for these models, in milliseconds; infinite without any. */
  readonly doneInMs: (job: AssignableJob) => number;
  /** Whether a server may load other models for a job. */
  readonly mayLoad: (job: AssignableJob, server: Pick<AssignableServer, 'name' | 'models'>) => boolean;
}

/** A server that has loaded nothing yet loses nothing, and its first run teaches what loading takes. */
const unloaded = 0.8;

/** The next job that uses the models that a server had has to load them again, and the jobs that wait meanwhile wait longer. */
const displacing = 3;

/**
 * A family whose waiting work is as long as this many loads needs one more server: then a load counts as what it takes. While less waits,
 * what waits says little of what is still to come, and servers that follow it load back and forth.
 */
const deep = 6;

/** A job that has waited longer than those of the family by this many loads gets its turn. */
const patience = 10;

/**
 * Weighs loads by the families of the waiting jobs: those that use the same models.
 *
 * A server without waiting work for its models loads those of the family that would be done last. One with such work loads others only where
 * its own family would still be done earlier without it than the other one with it, or where a job has waited much longer.
 *
 * After a server was given another family, what follows for the others is asked anew `before` the next one turns to it too; which family
 * would be done last stays as it was.
 */
export const loadingOf = <Job extends AssignableJob>(
  groups: readonly OpenGroup<Job>[],
  servers: readonly AssignableServer[],
  { runMs, loadMs }: Pick<Assignment<Job>, 'runMs' | 'loadMs'>,
  before?: Pick<Loading, 'longestMs'>,
): Loading => {
  const grouped = [...groupedBy(groups, ({ sample }) => familyOf(sample.work))];
  const families = new Map(grouped.map(([key, own]) => [key, familyFrom(own, servers, { runMs, loadMs })]));
  const longestMs =
    before?.longestMs ?? Math.max(...[...families.values()].map(({ doneInMs }) => doneInMs()));
  const doneInMs = (work: Work): number => families.get(familyOf(work))?.doneInMs() ?? Infinity;
  return {
    longestMs,
    weighedMs: ({ name, models }, work) => {
      const load = loadMs(name, work, models);
      if (models.length === 0) return unloaded * load;
      return doneInMs(work) > deep * load ? load : displacing * load;
    },
    doneInMs: ({ work }) => doneInMs(work),
    mayLoad: (job, { name, models }) => {
      const load = loadMs(name, job.work, models);
      const other = families.get(familyOf(job.work));
      if (load === 0 || other === undefined) return true;
      const own = [...families.values()].filter(({ servedBy }) => servedBy.has(name));
      if (own.length === 0) return other.doneInMs() >= longestMs;
      return (
        Math.min(...own.map(({ since }) => since)) - job.since > patience * load ||
        other.doneInMs({ and: name }) > Math.max(...own.map(({ doneInMs }) => doneInMs({ without: name })))
      );
    },
  };
};

/** The waiting jobs that use the same models. */
interface Family {
  /** The servers that have its models. */
  readonly servedBy: ReadonlySet<string>;
  /** When the first of its groups began to wait. */
  readonly since: number;
  /** How long these servers take for all of its jobs, with one more or one less; infinite without any. */
  readonly doneInMs: (change?: { readonly and?: string; readonly without?: string }) => number;
}

const familyFrom = <Job extends AssignableJob>(
  groups: readonly OpenGroup<Job>[],
  servers: readonly AssignableServer[],
  { runMs, loadMs }: Pick<Assignment<Job>, 'runMs' | 'loadMs'>,
): Family => {
  const serving = servers.filter(({ name, models }) =>
    groups.some(({ able, sample }) => able.has(name) && loadMs(name, sample.work, models) === 0),
  );
  const shapes = [...groupedBy(groups, ({ sample }) => sample.work.shape).values()].map((alike) => {
    const { work } = (alike[0] as OpenGroup<Job>).sample;
    const rateOf = (name: string | undefined): number => (name === undefined ? 0 : 1 / runMs(name, work));
    return {
      rateOf,
      jobs: alike.reduce((all, { jobs }) => all + jobs.size, 0),
      rate: serving.reduce((all, { name }) => all + rateOf(name), 0),
    };
  });
  return {
    servedBy: new Set(serving.map(({ name }) => name)),
    since: Math.min(...groups.map(({ sample }) => sample.since)),
    doneInMs: ({ and, without } = {}) =>
      shapes.reduce(
        (all, { jobs, rate, rateOf }) => all + jobs / Math.max(0, rate + rateOf(and) - rateOf(without)),
        0,
      ),
  };
};

const familyOf = ({ models }: Work): string => models.join('\n');

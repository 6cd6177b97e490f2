/** What a placement knows of a job that waits. */
export interface PlacementJob {
  /** Equal for workflows of the same classes, models and sizes, whatever their texts and seeds are. */
  readonly shape: string;
  /** The models that its loaders name. */
  readonly models: readonly string[];
  /** The tags that its server must have. */
  readonly tags: readonly string[];
  /** How long it has waited in the pool, in milliseconds. */
  readonly waitedMs: number;
  /** Which submission this is, from 1. */
  readonly attempt: number;
}

/** What a placement knows of a server that can run the job. */
export interface PlacementServer {
  /** Its name in the pool. */
  readonly name: string;
  /** Whether it takes one more job now; of one that takes none the job can only wait. */
  readonly hasRoom: boolean;
  /** How long until it can begin with this job, in milliseconds: the jobs that it holds, and those that wait for it before this one. */
  readonly workMs: number;
  /**
   * What loading the models that its last job did not use counts, in milliseconds: the expected time, times 0.8 on a server that has loaded
   * none, and times 3 on one that loses others for them.
   */
  readonly loadMs: number;
  /** How long it is expected to run the job, in milliseconds. */
  readonly runMs: number;
}

/**
 * Chooses the server of a job: the name of one of `servers`, or undefined to let the job wait.
 *
 * A pure function. It is asked again whenever something has changed. A server without room may be the answer: the job then waits for it,
 * and the jobs after it are placed with that in mind.
 *
 * @example
 * ```ts
 * import { earliestEnd, type Placement } from 'promptwire/pool';
 *
 * // Never on a machine that has to load a model first, unless the job has waited for a minute.
 * const patient: Placement = (job, servers) =>
 *   earliestEnd(job, job.waitedMs < 60_000 ? servers.filter(({ loadMs }) => loadMs === 0) : servers);
 * ```
 */
export type Placement = (job: PlacementJob, servers: readonly PlacementServer[]) => string | undefined;

/**
 * The server with the earliest expected end of the job: the work before it, the models to load, and the run. The default placement.
 *
 * Of servers with an equal end one that has room is taken, and then the one that comes first.
 *
 * @example
 * ```ts
 * import { earliestEnd } from 'promptwire/pool';
 *
 * const job = { shape: 'portrait', models: ['sd15.safetensors'], tags: [], waitedMs: 0, attempt: 1 };
 * const name = earliestEnd(job, [
 *   { name: 'attic', hasRoom: true, workMs: 0, loadMs: 9_000, runMs: 4_000 },
 *   { name: 'cellar', hasRoom: true, workMs: 3_000, loadMs: 0, runMs: 5_000 },
 * ]);
 * console.log(name); // cellar: 8 s and not 13
 * ```
 */
export const earliestEnd: Placement = (_, servers) =>
  servers.reduce<PlacementServer | undefined>(
    (best, server) => (best === undefined || isBetter(server, best) ? server : best),
    undefined,
  )?.name;

const isBetter = (server: PlacementServer, best: PlacementServer): boolean => {
  const earlier = endOf(best) - endOf(server);
  return earlier > 0 || (earlier === 0 && server.hasRoom && !best.hasRoom);
};

const endOf = ({ workMs, loadMs, runMs }: PlacementServer): number => workMs + loadMs + runMs;

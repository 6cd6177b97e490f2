import type { GatewayJob, JobFilter } from '../model/gateway-jobs.js';

/** A page of jobs, and what the next page begins after. */
export interface PageOfJobs<Job> {
  readonly page: readonly Job[];
  /** Absent on the last page. */
  readonly next?: string;
}

/** Finds a page of a list whose newest jobs come first; undefined where `after` is no `next` of such a list. */
export const pageOf = <Job extends GatewayJob>(
  jobs: readonly Job[],
  filter: JobFilter,
): PageOfJobs<Job> | undefined => {
  const start = filter.after === undefined ? 0 : placeAfter(jobs, filter.after);
  if (start === undefined) return undefined;
  const found = jobs.slice(start).filter((job) => passes(job, filter));
  const page = found.slice(0, filter.limit);
  const last = found.length > page.length ? page.at(-1) : undefined;
  return { page, ...(last !== undefined && { next: cursorOf(last) }) };
};

/** Names a place in a list of jobs, also once the job there is forgotten. */
const cursorOf = ({ record }: GatewayJob): string => `${record.createdAt.toString(36)}_${record.id}`;

/** Where the jobs after a cursor begin in a list whose newest come first; undefined where it is none. */
const placeAfter = (jobs: readonly GatewayJob[], cursor: string): number | undefined => {
  const [, time = '', id] = /^([0-9a-z]{1,11})_(.{1,64})$/su.exec(cursor) ?? [];
  if (id === undefined) return undefined;
  const place = jobs.findIndex(({ record }) => record.id === id);
  if (place >= 0) return place + 1;
  const older = jobs.findIndex(({ record }) => record.createdAt < Number.parseInt(time, 36));
  return older < 0 ? jobs.length : older;
};

/** Whether a list by this filter has the job. */
const passes = (
  { record, state }: GatewayJob,
  { phase, metadata = {}, template }: Pick<JobFilter, 'phase' | 'metadata' | 'template'>,
): boolean =>
  (phase === undefined || phase.includes(state.phase)) &&
  (template === undefined || record.template === template) &&
  Object.entries(metadata).every(([name, value]) => record.metadata?.[name] === value);

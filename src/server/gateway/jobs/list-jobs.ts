import type { GatewayJob, JobFilter } from '../model/gateway-jobs.js';
import { hasWords, searchWords } from './job-texts.js';
import { outputFiles, type OutputKind, outputKind } from '../../../core/state/output-files.js';
import type { Steps } from '../../../core/protocol/steps.js';

/** A page of jobs, and what the next page begins after. */
export interface PageOfJobs<Job> {
  readonly page: readonly Job[];
  /** Absent on the last page. */
  readonly next?: string;
}

/**
 * Finds a page of a list whose newest jobs come first; undefined if `after` is no `next` of such a list. It pauses after each job and each text
 * that it looks at: a search may go through all that is kept of an owner.
 */
export function* pageOf<Job extends GatewayJob>(
  jobs: readonly Job[],
  filter: JobFilter,
): Steps<PageOfJobs<Job> | undefined> {
  const start = filter.after === undefined ? 0 : placeAfter(jobs, filter.after);
  if (start === undefined) return undefined;
  const passes = passing(filter);
  const page: Job[] = [];
  for (let place = start; place < jobs.length; place += 1) {
    yield;
    const job = jobs[place];
    if (job === undefined || !(yield* passes(job))) continue;
    // One more than the page has: there is a next one.
    if (page.length === filter.limit) return { page, next: cursorOf(jobs, page.at(-1) ?? job) };
    page.push(job);
  }
  return { page };
}

/**
 * Names a place in a list of jobs, also once the job there is forgotten: the time of the job, how many of the same millisecond come after it,
 * and its id.
 */
const cursorOf = (jobs: readonly GatewayJob[], { record: { createdAt, id } }: GatewayJob): string => {
  const place = jobs.findIndex(({ record }) => record.id === id);
  const after = jobs.slice(place + 1).findIndex(({ record }) => record.createdAt !== createdAt);
  const sameTime = after < 0 ? jobs.length - place - 1 : after;
  return `${createdAt.toString(36)}.${sameTime}_${id}`;
};

/** Where the jobs after a cursor begin in a list whose newest come first; undefined for a text that is no cursor. */
const placeAfter = (jobs: readonly GatewayJob[], cursor: string): number | undefined => {
  const [, time = '', same = '', id] = /^([0-9a-z]{1,11})\.(\d{1,6})_(.{1,64})$/su.exec(cursor) ?? [];
  if (id === undefined) return undefined;
  const place = jobs.findIndex(({ record }) => record.id === id);
  if (place >= 0) return place + 1;
  const createdAt = Number.parseInt(time, 36);
  const first = jobs.findIndex(({ record }) => record.createdAt <= createdAt);
  if (first < 0) return jobs.length;
  const others = jobs.slice(first).findIndex(({ record }) => record.createdAt < createdAt);
  const older = others < 0 ? jobs.length : first + others;
  // Those of the same millisecond that the page before did not have.
  return Math.max(first, older - Number(same));
};

/** Makes the predicate of a filter: whether a job is in the list, in the steps of a search. */
const passing = ({
  phase,
  metadata = {},
  template,
  workflow,
  text = '',
  kind,
  since = -Infinity,
  until = Infinity,
}: JobFilter): ((job: GatewayJob) => Steps<boolean>) => {
  const words = searchWords(text);
  return function* (job) {
    const { record, state } = job;
    return (
      (phase === undefined || phase.includes(state.phase)) &&
      (template === undefined || record.template === template) &&
      (workflow === undefined || [record.template, record.metadata?.['workflow']].includes(workflow)) &&
      record.createdAt >= since &&
      record.createdAt < until &&
      Object.entries(metadata).every(([name, value]) => record.metadata?.[name] === value) &&
      (kind === undefined || hasKind(job, kind)) &&
      (yield* hasWords(job, words))
    );
  };
};

/** Whether a job has an output of a kind. */
const hasKind = ({ state }: GatewayJob, kind: OutputKind): boolean =>
  outputFiles(state.outputs).some(
    ({ type, mediaType }) => type === 'output' && outputKind(mediaType) === kind,
  );

import { applyJobEvent } from '../../core/events/apply-job-event.js';
import { isSameJson } from '../../core/protocol/json/is-same-json.js';
import { distinctUntilChanged, filter, type Observable, scan } from 'rxjs';
import { isTerminal } from '../../core/state/job-state.js';
import type { JobLogEvent } from '../../core/events/job-log-event.js';
import type { JobState } from '../../core/state/job-state.js';
import type { PreviewNews, StreamEvent } from './stream-event.js';

/** What is known of the caller's jobs. */
export interface Feed {
  /** The states by id: all jobs that run, and the newest of those that ended. */
  readonly jobs: ReadonlyMap<string, JobState>;
  /** The newest previews of the jobs that run, by the id of the job and the node. */
  readonly previews: ReadonlyMap<string, ReadonlyMap<string, PreviewNews>>;
  /** The job that the latest event changed; undefined if any may have changed. */
  readonly job: string | undefined;
  /** The job that the gateway has just forgotten. */
  readonly deleted?: string;
}

/** How many ended jobs are kept; an earlier one is asked for by its id. */
const maxEnded = 100;

/** Folds the events of the gateway into the states of jobs: emits from the first snapshot on, whenever something changed. */
export const feed = (events: Observable<StreamEvent>): Observable<Feed> =>
  events.pipe(
    scan(takeEvent, nothing),
    filter((known) => known !== nothing),
    distinctUntilChanged(),
  );

const nothing: Feed = { jobs: new Map(), previews: new Map(), job: undefined };

const takeEvent = (known: Feed, event: StreamEvent): Feed => {
  if (event.type === 'snapshot') return ofSnapshot(known, event.jobs);
  if (known === nothing) return known;
  if (event.type === 'preview') return withPreview(known, event.preview);
  if (event.type === 'deleted') return without(known, event.job);
  return event.type === 'job' ? withEvent(known, event.job, event.event) : known;
};

/** A snapshot lists the newest job first. */
const ofSnapshot = ({ jobs: known }: Feed, states: readonly JobState[]): Feed => {
  const jobs = new Map<string, JobState>();
  for (const state of states.toReversed())
    jobs.set(state.promptId, unlessSame(known.get(state.promptId), state));
  return { jobs: withoutOldest(jobs), previews: new Map(), job: undefined };
};

const withPreview = (known: Feed, preview: PreviewNews): Feed => {
  const { job, nodeId } = preview;
  if (!known.jobs.has(job)) return known;
  const own = new Map(known.previews.get(job)).set(nodeId, preview);
  return { jobs: known.jobs, previews: new Map(known.previews).set(job, own), job };
};

const withEvent = (known: Feed, job: string, event: JobLogEvent): Feed => {
  const before = known.jobs.get(job);
  const first = event.type === 'submitted' ? event.state : undefined;
  const after = before === undefined ? first : applyJobEvent(before, event);
  // Of a job that ended long ago.
  if (after === undefined) return known;
  // After a cut the gateway tells the progress once more.
  const state = event.type === 'progress' ? unlessSame(before, after) : after;
  if (state === before) return known;
  const jobs = new Map(known.jobs);
  if (!isTerminal(state.phase)) return { previews: known.previews, jobs: jobs.set(job, state), job };
  // The job that ended last comes last among the ended ones.
  jobs.delete(job);
  const previews = new Map(known.previews);
  previews.delete(job);
  return { jobs: withoutOldest(jobs.set(job, state)), previews, job };
};

const without = ({ jobs: before, previews: shown }: Feed, job: string): Feed => {
  const [jobs, previews] = [new Map(before), new Map(shown)];
  jobs.delete(job);
  previews.delete(job);
  return { jobs, previews, job, deleted: job };
};

/** Forgets the jobs that ended first, beyond {@link maxEnded}. */
const withoutOldest = (jobs: Map<string, JobState>): ReadonlyMap<string, JobState> => {
  const ended = [...jobs.values()].filter(({ phase }) => isTerminal(phase));
  for (const { promptId } of ended.slice(0, Math.max(0, ended.length - maxEnded))) jobs.delete(promptId);
  return jobs;
};

/** The known state where the other has the same members in any order, so that readers can tell by the object that nothing changed. */
const unlessSame = (known: JobState | undefined, state: JobState): JobState =>
  known !== undefined && isSameJson(known, state) ? known : state;

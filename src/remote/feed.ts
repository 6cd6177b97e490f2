import { canonicalJson } from '../protocol/json/canonical-json.js';
import { applyJobEvent } from '../events/apply-job-event.js';
import { defer, filter, map, type Observable } from 'rxjs';
import { isTerminal } from '../state/job-state.js';
import type { JobState } from 'promptwire';
import type { PreviewNews, StreamEvent } from './stream-event.js';

/** What is known of the caller's jobs, and what is new of it. */
export interface News {
  /** The states by id: all jobs that run, and the newest of those that ended. It is one map, which changes. */
  readonly jobs: ReadonlyMap<string, JobState>;
  /** The newest previews of the jobs that run, by the id of the job and the node; likewise. */
  readonly previews: ReadonlyMap<string, ReadonlyMap<string, PreviewNews>>;
  /** The job that changed; undefined where any may have. */
  readonly job: string | undefined;
}

/** So many jobs that ended are kept; an earlier one is asked for by its id. */
const endedKept = 100;

/** Folds the events of the gateway into the states of jobs, from the first snapshot on. */
export const feed = (events: Observable<StreamEvent>): Observable<News> =>
  defer(() => {
    const jobs = new Map<string, JobState>();
    const previews = new Map<string, Map<string, PreviewNews>>();
    const ended: string[] = [];
    let isKnown = false;

    const put = (id: string, state: JobState): void => {
      jobs.set(id, state);
      if (!isTerminal(state.phase)) return;
      previews.delete(id);
      ended.push(id);
      if (ended.length > endedKept) jobs.delete(ended.shift() ?? '');
    };
    const takeAll = (states: readonly JobState[]): void => {
      const known = new Map(jobs);
      jobs.clear();
      previews.clear();
      ended.length = 0;
      // The newest come first.
      for (const state of states.toReversed())
        put(state.promptId, unlessSame(known.get(state.promptId), state));
      isKnown = true;
    };
    const take = (event: StreamEvent): string | undefined => {
      if (event.type === 'preview') {
        const { preview } = event;
        if (!jobs.has(preview.job)) return undefined;
        const own = previews.get(preview.job) ?? new Map<string, PreviewNews>();
        previews.set(preview.job, own.set(preview.nodeId, preview));
        return preview.job;
      }
      if (event.type !== 'job') return undefined;
      const known = jobs.get(event.job);
      const first = event.event.type === 'submitted' ? event.event.state : undefined;
      const before = known ?? first;
      // Of a job that ended long ago.
      if (before === undefined) return undefined;
      const after = known === undefined ? before : applyJobEvent(known, event.event);
      // After a cut the gateway tells the progress once more.
      const state = event.event.type === 'progress' ? unlessSame(known, after) : after;
      if (state === known) return undefined;
      put(event.job, state);
      return event.job;
    };
    return events.pipe(
      map((event): News | undefined => {
        if (event.type === 'snapshot') {
          takeAll(event.jobs);
          return { jobs, previews, job: undefined };
        }
        const job = isKnown ? take(event) : undefined;
        return job === undefined ? undefined : { jobs, previews, job };
      }),
      filter((news) => news !== undefined),
    );
  });

/** The known state where the other has the same members in any order, so that readers can tell by the object that nothing changed. */
const unlessSame = (known: JobState | undefined, state: JobState): JobState => {
  const text = known && canonicalJson(known);
  return text !== undefined && text === canonicalJson(state) ? (known ?? state) : state;
};

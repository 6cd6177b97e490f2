import {
  BehaviorSubject,
  catchError,
  filter,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  pairwise,
  scan,
  startWith,
  Subject,
} from 'rxjs';
import { isTerminal, type Remote } from '../../../remote.js';
import { type Failure, failureOf } from './failure.js';
import type { KeptTimes } from './kept-times.js';
import type { JobState, UiWorkflow, Workflow } from '../../../index.js';
import type { PlannedRun } from './plan-runs.js';
import { stepTimeline, type Timeline } from './timeline.js';
import type { World } from './world.js';

/** A job that the page has submitted or found under way. */
export interface KnownJob {
  /** The key of its submission, or its id. */
  readonly key: string;
  /** Undefined until the gateway has answered. */
  readonly id: string | undefined;
  readonly state: JobState | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAt: number;
  /** As the page has submitted it. */
  readonly workflow?: Workflow;
  /** As its author drew it. */
  readonly ui?: UiWorkflow | undefined;
  /** When its nodes ran, as far as the page has watched. */
  readonly timeline?: Timeline;
  /** Why it was not submitted, or can't be followed. */
  readonly failure?: Failure;
}

/** A job of the caller by its id. */
export type NamedJob = Pick<KnownJob, 'createdAt' | 'metadata'> & { readonly id: string };

type Known = ReadonlyMap<string, KnownJob>;

/** The jobs that the page follows. */
export interface Jobs {
  /** By key, in the order of their submission. */
  readonly known: BehaviorSubject<Known>;
  /** Submits jobs, and gives the keys by which they are known. */
  readonly submit: (runs: readonly PlannedRun[], ui?: UiWorkflow) => readonly string[];
  /** Follows a job that this or another tab has submitted; once. `isHearsay`: where the caller has no such job, nothing is said. */
  readonly follow: (job: NamedJob, isHearsay?: boolean) => void;
  /** Stops showing it; a job goes on. */
  readonly forget: (key: string) => void;
}

type Change = (known: Known) => Known;

/** A job, and where its states come from. */
interface Begun {
  readonly job: KnownJob;
  readonly states: Observable<JobState>;
  readonly isHearsay?: boolean;
}

/** Whether a job is under way, so that it can be cancelled. */
export const isUnderWay = ({ state, failure }: KnownJob): boolean =>
  failure === undefined && (state === undefined || !isTerminal(state.phase));

/** Folds the states of jobs into what the page knows of them. */
export const openJobs = (
  remote: Remote,
  { uuid, scheduler }: Pick<World, 'uuid' | 'scheduler'>,
  times: KeptTimes,
): Jobs => {
  const begun = new Subject<Begun>();
  const told = new Subject<Change>();
  const known = new BehaviorSubject<Known>(new Map());
  const changes = begun.pipe(
    mergeMap(({ job, states, isHearsay }) =>
      states.pipe(
        map((state) => changed(job.key, (before) => afterState(before, state, scheduler.now()))),
        catchError((error: unknown) =>
          of(isHearsay ? forgotten(job.key) : changed(job.key, () => ({ failure: failureOf(error) }))),
        ),
      ),
    ),
  );
  const begin = (begins: Begun): void => {
    told.next((before) => new Map(before).set(begins.job.key, begins.job));
    begun.next(begins);
  };
  merge(told, changes)
    .pipe(scan((before: Known, change) => change(before), new Map()))
    .subscribe(known);
  newTimes(known).subscribe(({ id, timeline }) => times.keep(id, timeline));
  return {
    known,
    submit: (runs, ui) =>
      runs.map(({ workflow, metadata }) => {
        const key = uuid();
        const createdAt = scheduler.now();
        const job = { key, id: undefined, state: undefined, metadata, createdAt, workflow, ui };
        begin({ job, states: remote.run(workflow, { metadata, idempotencyKey: key }) });
        return key;
      }),
    follow: ({ id, createdAt, metadata }, isHearsay = false) => {
      const isKnown = [...known.value.values()].some((job) => job.id === id);
      const timeline = times.of(id);
      const watched = timeline !== undefined && { timeline };
      const job = { key: id, id, state: undefined, metadata, createdAt, ...watched };
      if (!isKnown) begin({ job, states: remote.follow(id), isHearsay });
    },
    forget: (key) => told.next(forgotten(key)),
  };
};

/** The times of a job whenever a node has begun or ended. */
const newTimes = (known: Observable<Known>): Observable<Required<Pick<KnownJob, 'timeline'>> & NamedJob> =>
  known.pipe(
    startWith<Known>(new Map()),
    pairwise(),
    mergeMap(([before, now]) => [...now.values()].filter((job) => hasNewTimes(job, before.get(job.key)))),
    filter((job): job is KnownJob & Required<Pick<KnownJob, 'timeline'>> & NamedJob => job.id !== undefined),
  );

const hasNewTimes = ({ timeline }: KnownJob, before: KnownJob | undefined): boolean =>
  timeline !== undefined &&
  (timeline.nodes !== before?.timeline?.nodes || timeline.end !== before.timeline.end);

const changed =
  (key: string, members: (job: KnownJob) => Partial<KnownJob>): Change =>
  (known) => {
    const job = known.get(key);
    return job === undefined ? known : new Map(known).set(key, { ...job, ...members(job) });
  };

const afterState = ({ timeline }: KnownJob, state: JobState, now: number): Partial<KnownJob> => ({
  state,
  timeline: stepTimeline(timeline, state, now),
  ...(state.promptId !== '' && { id: state.promptId }),
});

const forgotten =
  (key: string): Change =>
  (known) =>
    new Map([...known].filter(([other]) => other !== key));

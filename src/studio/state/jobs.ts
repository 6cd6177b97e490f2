import { BehaviorSubject, catchError, map, mergeMap, type Observable, of, scan, Subject } from 'rxjs';
import { isTerminal, type Remote } from '../../remote.js';
import { type Failure, failureOf } from './failure.js';
import type { JobState } from '../../index.js';
import type { PlannedRun } from './plan-runs.js';
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
  /** Why it was not submitted, or can't be followed. */
  readonly failure?: Failure;
}

type Known = ReadonlyMap<string, KnownJob>;

/** The jobs that the page follows. */
export interface Jobs {
  /** By key, in the order of their submission. */
  readonly known: BehaviorSubject<Known>;
  /** Submits jobs, and gives the keys by which they are known. */
  readonly submit: (runs: readonly PlannedRun[]) => readonly string[];
  /** Follows a job that this or another tab has submitted; once. */
  readonly follow: (job: Pick<KnownJob, 'createdAt' | 'metadata'> & { readonly id: string }) => void;
  /** Stops showing it; a job goes on. */
  readonly forget: (key: string) => void;
}

type Change = (known: Known) => Known;

/** Whether a job is under way, so that it can be cancelled. */
export const isUnderWay = ({ state, failure }: KnownJob): boolean =>
  failure === undefined && (state === undefined || !isTerminal(state.phase));

/** Folds what is told of jobs into what is known of them. */
export const openJobs = (remote: Remote, { uuid, scheduler }: Pick<World, 'uuid' | 'scheduler'>): Jobs => {
  const begun = new Subject<{ readonly job: KnownJob; readonly states: Observable<JobState> }>();
  const forgotten = new Subject<string>();
  const known = new BehaviorSubject<Known>(new Map());
  const changes = begun.pipe(
    mergeMap(({ job, states }) =>
      states.pipe(
        map((state) => changed(job.key, { state, ...(state.promptId !== '' && { id: state.promptId }) })),
        catchError((error: unknown) => of(changed(job.key, { failure: failureOf(error) }))),
      ),
    ),
  );
  const begin = (job: KnownJob, states: Observable<JobState>): void => {
    known.next(new Map(known.value).set(job.key, job));
    begun.next({ job, states });
  };
  changes.pipe(scan((_, change: Change) => change(known.value), known.value)).subscribe(known);
  forgotten.subscribe((key) => {
    const rest = new Map(known.value);
    rest.delete(key);
    known.next(rest);
  });
  return {
    known,
    submit: (runs) =>
      runs.map(({ workflow, metadata }) => {
        const key = uuid();
        const job = { key, id: undefined, state: undefined, metadata, createdAt: scheduler.now() };
        begin(job, remote.run(workflow, { metadata, idempotencyKey: key }));
        return key;
      }),
    follow: ({ id, createdAt, metadata }) => {
      const isKnown = [...known.value.values()].some((job) => job.id === id);
      if (!isKnown) begin({ key: id, id, state: undefined, metadata, createdAt }, remote.follow(id));
    },
    forget: (key) => forgotten.next(key),
  };
};

const changed =
  (key: string, members: Partial<KnownJob>): Change =>
  (known) => {
    const job = known.get(key);
    return job === undefined ? known : new Map(known).set(key, { ...job, ...members });
  };

import {
  asyncScheduler,
  connect,
  defer,
  distinctUntilChanged,
  EMPTY,
  endWith,
  ignoreElements,
  map,
  merge,
  type OperatorFunction,
  repeat,
  type SchedulerLike,
  switchMap,
  takeUntil,
  timer,
  type TimestampProvider,
} from 'rxjs';
import type { DownloadState } from '../files/download-state.js';
import { estimate } from '../estimate/estimate.js';
import { isTerminal, type JobState, type NodeState, noNodes } from '../state/job-state.js';
import { jobClock } from '../estimate/job-times.js';
import { type ProgressStage, stageOf } from '../estimate/stage-of.js';

/** The progress of a job. */
export interface Progress {
  /** The share of the job's time that has passed, 0 to 1; never decreases, and is 1 only once the job has completed. */
  readonly value: number;
  /** What the job does. */
  readonly stage: ProgressStage;
  /** Node id → its `fraction`, `value`, `max` and `phase`, without a prototype; only nodes that an event has named. */
  readonly nodes: Readonly<Record<string, NodeState>>;
  /** The estimated milliseconds to the end; absent if they would be a wild guess, 0 at the end. */
  readonly timeLeftMs?: number;
  /** The milliseconds that it may be at the most; only where that is far more than `timeLeftMs`. */
  readonly timeLeftMaxMs?: number;
}

/** Options of {@link progress}. */
export interface ProgressOptions {
  /**
   * How long without a state until the passing time alone gives a value, in milliseconds; never with `Infinity`. Default
   * 100, and less in the first second of a run.
   */
  readonly periodMs?: number | undefined;
  /** Where the time comes from; default RxJS's `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * Turns a job's states into its progress: overall, per node, what it does, and the estimated time left.
 *
 * ```text
 * source           --s--s--s--s-----(S|)   states of a job; S is the terminal one
 *                  progress()
 * result           --a--b-----c--c'-(d|)   a: { value: 0 }  c: { value: 0.6, timeLeftMs: 2000 }  c': a second later
 * ```
 *
 * Nodes count by what they cost: by their own steps where they report some, else by `plan` of the state, which a client makes of the
 * workflow and of the durations of its earlier jobs. A job that is only followed has no plan, and its nodes count alike. The value never
 * decreases. The time left is absent before a tenth of the work or two seconds were seen; `timeLeftMaxMs` says how long it may be where
 * the operator is unsure. A job that waits has one where its place in the queue and the duration of earlier jobs are known.
 *
 * Values follow each state and, without one, `periodMs`; a clock that is set back counts as stopped. The operator skips a value that
 * equals the last one. A terminal state has `timeLeftMs: 0`, and `value: 1` if the job completed. The states of a download may follow
 * those of its job: their stage is `downloading`. Errors, completion and unsubscription pass straight through; each subscription has a
 * clock of its own. Facts: docs/protocol.md, chapters 4 and 6.
 *
 * @example
 * ```ts
 * import { progress, type Client, type Workflow } from 'promptwire';
 *
 * const watch = (client: Client, workflow: Workflow) =>
 *   client
 *     .run(workflow)
 *     .pipe(progress())
 *     .subscribe(({ value, stage, timeLeftMs }) => console.log(`${Math.floor(value * 100)} %`, stage, timeLeftMs ?? ''));
 * ```
 */
export const progress =
  ({ periodMs, scheduler = asyncScheduler }: ProgressOptions = {}): OperatorFunction<
    JobState | DownloadState,
    Progress
  > =>
  (source) =>
    defer(() => {
      const passed = forwardClock(scheduler);
      const times = jobClock();
      let highest = 0;
      let nodes = noNodes;

      const progressOf = (state: JobState | DownloadState): Progress => {
        if ('receivedBytes' in state)
          return { value: highest, stage: state.done ? 'ended' : 'downloading', nodes };
        const now = passed();
        times.take(state, now);
        nodes = state.nodes;
        const { value, ...left } = estimate(state, times, now);
        highest = Math.max(highest, value);
        return { value: highest, stage: stageOf(state), nodes, ...left };
      };

      const nextMs = (): number => {
        const { since = -Infinity } = times;
        return periodMs ?? Math.min(maxPeriodMs, Math.max(minPeriodMs, (passed() - since) / 10));
      };

      return source.pipe(
        connect((states) =>
          merge(
            states,
            states.pipe(
              switchMap((state) =>
                isMoving(state) && periodMs !== Infinity
                  ? defer(() => timer(nextMs(), scheduler)).pipe(
                      repeat(),
                      map(() => state),
                    )
                  : EMPTY,
              ),
              takeUntil(states.pipe(ignoreElements(), endWith(undefined))),
            ),
          ),
        ),
        map(progressOf),
        distinctUntilChanged(isSame),
      );
    });

/** A bar moves this often, but sooner in the first moments, as a job of a tenth of a second has one too. */
const maxPeriodMs = 100;
const minPeriodMs = 10;

const isMoving = (state: JobState | DownloadState): boolean => 'phase' in state && !isTerminal(state.phase);

const isSame = (one: Progress, other: Progress): boolean =>
  one.value === other.value &&
  one.stage === other.stage &&
  one.nodes === other.nodes &&
  one.timeLeftMs === other.timeLeftMs &&
  one.timeLeftMaxMs === other.timeLeftMaxMs;

/** The milliseconds that have passed since it was made; a clock that is set back counts as stopped. */
const forwardClock = (clock: TimestampProvider): (() => number) => {
  let last = clock.now();
  let passedMs = 0;
  return () => {
    const next = clock.now();
    passedMs += Math.max(0, next - last);
    last = next;
    return passedMs;
  };
};

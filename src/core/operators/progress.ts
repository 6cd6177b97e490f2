import {
  asyncScheduler,
  defer,
  distinctUntilChanged,
  map,
  type OperatorFunction,
  type TimestampProvider,
} from 'rxjs';
import { isTerminal, type JobState, type NodeState } from '../state/job-state.js';

/** The progress of a job. */
export interface Progress {
  /** 0 to 1 over the whole job; never decreases. */
  readonly value: number;
  /** Node id → its `fraction`, `value`, `max` and `phase`, without a prototype; only nodes that an event has named. */
  readonly nodes: Readonly<Record<string, NodeState>>;
  /** The estimated milliseconds to the end at the recent pace; absent until there is a pace, 0 at the end. */
  readonly timeLeftMs?: number;
}

/** Options of {@link progress}. */
export interface ProgressOptions {
  /** Where the time comes from; default RxJS's `asyncScheduler`. */
  readonly scheduler?: TimestampProvider | undefined;
}

/** The time in which the weight of a past step falls to 1/e. */
const memoryMs = 10_000;

/** The shortest observation that gives a pace. */
const minObservedMs = 500;

/**
 * Turns a job's states into its progress: overall, per node, and the estimated time left.
 *
 * ```text
 * source           --s--s--s--s--(S|)      states of a job; S is the terminal one
 *                  progress()
 * result           --a--b-----c--(d|)      a: { value: 0.1 }  c: { value: 0.6, timeLeftMs: 2000 }
 * ```
 *
 * The value never decreases. The time left follows the recent pace: older steps weigh less and less, so the estimate reacts
 * within about ten seconds; a clock that is set back counts as stopped. The operator skips a value that equals the last
 * one. A terminal state has `timeLeftMs: 0`, and `value: 1` if the job completed. Errors, completion and unsubscription pass
 * straight through; each subscription measures its own pace.
 *
 * @example
 * ```ts
 * import { progress, type Client, type Workflow } from 'promptwire';
 *
 * const watch = (client: Client, workflow: Workflow) =>
 *   client
 *     .run(workflow)
 *     .pipe(progress())
 *     .subscribe(({ value, timeLeftMs }) => console.log(`${Math.round(value * 100)} %`, timeLeftMs ?? ''));
 * ```
 */
export const progress =
  ({ scheduler = asyncScheduler }: ProgressOptions = {}): OperatorFunction<JobState, Progress> =>
  (source) =>
    defer(() => {
      const pace = paceMeter();
      let highest = 0;

      return source.pipe(
        map(({ phase, progress: reached, nodes }): Progress => {
          highest = Math.max(highest, phase === 'completed' ? 1 : reached);
          const timeLeftMs = isTerminal(phase) ? 0 : pace(highest, scheduler.now());
          return timeLeftMs === undefined ? { value: highest, nodes } : { value: highest, nodes, timeLeftMs };
        }),
        distinctUntilChanged(
          (a, b) => a.value === b.value && a.nodes === b.nodes && a.timeLeftMs === b.timeLeftMs,
        ),
      );
    });

/** Sums progress and time with the same exponential decay; their ratio is the pace. */
const paceMeter = (): ((value: number, now: number) => number | undefined) => {
  let last: { readonly value: number; readonly now: number } | undefined;
  let gained = 0;
  let spentMs = 0;

  return (value, now) => {
    const passedMs = last === undefined ? 0 : Math.max(0, now - last.now);
    const fade = Math.exp(-passedMs / memoryMs);
    gained = gained * fade + value - (last?.value ?? value);
    spentMs = spentMs * fade + passedMs;
    last = { value, now };
    return gained > 0 && spentMs >= minObservedMs ? Math.round(((1 - value) * spentMs) / gained) : undefined;
  };
};

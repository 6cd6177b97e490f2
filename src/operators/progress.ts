import {
  asyncScheduler,
  defer,
  distinctUntilChanged,
  map,
  type OperatorFunction,
  type TimestampProvider,
} from 'rxjs';
import { isTerminal, type JobState, type NodeState } from '../state/job-state.js';

/** How far a job is. */
export interface Progress {
  /** 0 to 1 over the whole job, never lower than before. */
  readonly value: number;
  /** Node id → its `fraction`, `value`, `max` and `phase`, without a prototype; only nodes that an event has named. */
  readonly nodes: Readonly<Record<string, NodeState>>;
  /** Milliseconds to the end at the pace of late; absent until there is a pace, 0 at the end. */
  readonly timeLeftMs?: number;
}

/** Options of {@link progress}. */
export interface ProgressOptions {
  /** Where the time comes from; default RxJS's `asyncScheduler`. */
  readonly scheduler?: TimestampProvider | undefined;
}

/** Weight of the past falls to 1/e in this time. */
const memoryMs = 10_000;

/** Less watching than this says nothing of the pace. */
const leastMs = 500;

/**
 * Turns a job's states into its progress: overall, per node, and the time that is left.
 *
 * ```text
 * source           --s--s--s--s--(S|)      states of a job; S is the terminal one
 *                  progress()
 * result           --a--b-----c--(d|)      a: { value: 0.1 }  c: { value: 0.6, timeLeftMs: 2000 }
 * ```
 *
 * The value never goes back. The time left comes from the pace of late, older steps weighing less and less, so it reacts
 * within about ten seconds; a clock that is set back counts as standing still. What equals the last emission is left
 * out. A terminal state has `timeLeftMs: 0`, and `value: 1` if the job completed. Errors, completion and unsubscription
 * go straight through; the pace belongs to one subscription.
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

/** Progress and time since the first call, both fading alike; their ratio is the pace. */
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
    return gained > 0 && spentMs >= leastMs ? Math.round(((1 - value) * spentMs) / gained) : undefined;
  };
};

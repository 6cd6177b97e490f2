import {
  asyncScheduler,
  concat,
  concatMap,
  defer,
  distinctUntilChanged,
  map,
  merge,
  of,
  Subject,
  switchMap,
  takeWhile,
  timer,
  type MonoTypeOperatorFunction,
  type SchedulerLike,
} from 'rxjs';
import type { Frame } from '../protocol/frames/frame.js';
import { conflation } from './conflation.js';

/** Options of {@link latest}. */
export interface LatestOptions {
  /** At most one preview, progress or text of a node in this time, in milliseconds. */
  readonly periodMs: number;
  /** What times the periods; default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * Thins out previews, progress and progress texts to the newest of each node, and lets everything else pass at once.
 *
 * ```text
 * source           -a-b-c-----d---x-----|     a to d: previews of one node; x: an event of its job
 *                  latest({ periodMs: 8 })
 * result           -a-------c-----(dx)--|
 * ```
 *
 * As `throttleTime` with both edges, for each node by itself: the first passes at once, then the newest of each period
 * at its end. An event that is part of a job's life (`executing`, `executed`, the terminal ones and all others) is never
 * dropped or held; what waits of its job passes just before it, in the order of arrival. So the frames of one node, and
 * those of a job around each of its events, keep their order. What waits when the source completes is emitted before
 * completion; an error passes at once and drops it. Unsubscribing stops the timer. The state belongs to one subscription.
 *
 * For a consumer that is slow rather than a rate that is known use `toAsyncIterable` with `overflow: 'latest'`.
 * Facts: docs/protocol.md, chapters 6 and 7.
 *
 * @example
 * ```ts
 * import { forPrompt, latest, previews, type Frame } from 'promptwire';
 * import type { Observable } from 'rxjs';
 *
 * const tenASecond = (frames: Observable<Frame>, promptId: string) =>
 *   frames.pipe(forPrompt(promptId), latest({ periodMs: 100 }), previews());
 * ```
 */
export const latest =
  ({ periodMs, scheduler = asyncScheduler }: LatestOptions): MonoTypeOperatorFunction<Frame> =>
  (source) =>
    defer(() => {
      const waiting = conflation(periodMs);
      const wakeUp = new Subject<number>();

      const arrivals = source.pipe(map((frame): Step => ({ _tag: 'arrival', frame })));
      const dues = wakeUp.pipe(
        distinctUntilChanged(),
        switchMap((at) =>
          timer(at - scheduler.now(), scheduler).pipe(map((): Step => ({ _tag: 'due', at }))),
        ),
      );

      return merge(dues, concat(arrivals, of<Step>({ _tag: 'end' }))).pipe(
        takeWhile((step) => step._tag !== 'end', true),
        concatMap((step) => {
          if (step._tag === 'end') return waiting.takeAll();
          const now = scheduler.now();
          const frames =
            step._tag === 'arrival'
              ? waiting.take(step.frame, now)
              : // A timer may be a moment early.
                waiting.takeDue(Math.max(now, step.at));
          const next = waiting.nextDue();
          if (next !== undefined) wakeUp.next(next);
          return frames;
        }),
      );
    });

type Step =
  | { readonly _tag: 'arrival'; readonly frame: Frame }
  | { readonly _tag: 'due'; readonly at: number }
  | { readonly _tag: 'end' };

import {
  asyncScheduler,
  concat,
  concatMap,
  defer,
  distinctUntilChanged,
  map,
  merge,
  type MonoTypeOperatorFunction,
  of,
  type SchedulerLike,
  Subject,
  switchMap,
  takeWhile,
  timer,
} from 'rxjs';
import { conflationKey } from '../protocol/frames/conflation-key.js';
import type { Frame } from '../protocol/frames/frame.js';

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

/** Which frames pass now and which wait for the end of their period; times are given, none is read. */
export interface Conflation {
  /** Takes a frame in and gives what passes now, in order. */
  readonly take: (frame: Frame, now: number) => readonly Frame[];
  /** Gives what has waited for its period's end. */
  readonly takeDue: (now: number) => readonly Frame[];
  /** Gives everything that waits, in order of arrival. */
  readonly takeAll: () => readonly Frame[];
  /** When the next frame that waits is due; undefined where none waits. */
  readonly nextDue: () => number | undefined;
}

/** A key that had a frame pass: until `dueAt` a newer one waits. */
interface Period {
  readonly dueAt: number;
  waiting?: { readonly frame: Frame; readonly arrival: number };
}

/** Keeps, for each conflation key, the newest frame of a period. */
const conflation = (periodMs: number): Conflation => {
  // All periods are of one length and a key moves to the end with each new one: the map is in the order of `dueAt`.
  const periods = new Map<string, Period>();
  let arrivals = 0;

  const open = (key: string, now: number): void => {
    periods.delete(key);
    periods.set(key, { dueAt: now + periodMs });
  };

  const takeDue = (now: number): readonly Frame[] => {
    const due: Frame[] = [];
    for (const [key, period] of periods) {
      if (!isOver(period, now, periodMs)) break;
      if (period.waiting === undefined) {
        periods.delete(key);
      } else {
        due.push(period.waiting.frame);
        open(key, now);
      }
    }
    return due;
  };

  const release = (now: number, which: (frame: Frame) => boolean): readonly Frame[] => {
    const chosen = [...periods].flatMap(([key, { waiting }]) =>
      waiting !== undefined && which(waiting.frame) ? [{ key, ...waiting }] : [],
    );
    for (const { key } of chosen) open(key, now);
    return chosen.sort((a, b) => a.arrival - b.arrival).map(({ frame }) => frame);
  };

  return {
    take: (frame, now) => {
      const due = takeDue(now);
      const key = conflationKey(frame);
      if (key === undefined) {
        // A message of no job, such as `status`, says nothing about the order within one.
        const ahead = frame.promptId === undefined ? [] : release(now, mayBelongTo(frame.promptId));
        return [...due, ...ahead, frame];
      }
      const period = periods.get(key);
      if (period === undefined) {
        open(key, now);
        return [...due, frame];
      }
      period.waiting = { frame, arrival: arrivals++ };
      return due;
    },
    takeDue,
    takeAll: () => release(0, () => true),
    nextDue: () => {
      for (const { waiting, dueAt } of periods.values()) if (waiting !== undefined) return dueAt;
      return undefined;
    },
  };
};

/** A clock that was set back must not make a period longer. */
const isOver = ({ dueAt }: Period, now: number, periodMs: number): boolean =>
  dueAt <= now || dueAt > now + periodMs;

const mayBelongTo =
  (promptId: string) =>
  (frame: Frame): boolean =>
    frame.promptId === undefined || frame.promptId === promptId;

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
  /** The time, in milliseconds, in which at most one preview, progress or text of a node passes. */
  readonly periodMs: number;
  /** Times the periods; default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * Limits the rate of previews, progress and progress texts to the newest per node and period; everything else passes at once.
 *
 * ```text
 * source           -a-b-c-----d---x-----|     a to d: previews of one node; x: an event of its job
 *                  latest({ periodMs: 8 })
 * result           -a-------c-----(dx)--|
 * ```
 *
 * It works like `throttleTime` with both edges, separately for each node: the first frame passes at once, then the newest
 * frame of each period at its end. It never drops or delays any other event (`executing`, `executed`, the terminal events, …);
 * the job's waiting frames pass just before such an event, in the order of arrival. So the frames of one node, and the frames
 * of a job around each of its events, keep their order. When the source completes, the waiting frames pass before
 * completion; an error passes at once and discards them. Unsubscribing stops the timer. Each subscription has its own state.
 *
 * If the consumer is slow and you know no suitable rate, use `toAsyncIterable` with `overflow: 'latest'` instead.
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

/** Decides which frames pass now and which wait for the end of their period. The caller passes the time; no clock is read. */
export interface Conflation {
  /** Takes a frame and returns the frames that pass now, in order. */
  readonly take: (frame: Frame, now: number) => readonly Frame[];
  /** Returns the frames whose period has ended. */
  readonly takeDue: (now: number) => readonly Frame[];
  /** Returns all waiting frames, in order of arrival. */
  readonly takeAll: () => readonly Frame[];
  /** When the next waiting frame is due; undefined without one. */
  readonly nextDue: () => number | undefined;
}

/** The period of one key, which began when a frame passed: until `dueAt` a newer frame waits. */
interface Period {
  readonly dueAt: number;
  waiting?: { readonly frame: Frame; readonly arrival: number };
}

/** Keeps, for each conflation key, the newest frame of a period. */
const conflation = (periodMs: number): Conflation => {
  // All periods have one length, and a new period moves its key to the end: the map is in the order of `dueAt`.
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
        // A message without a job, such as `status`, does not affect the order within a job.
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

/** A clock that was set back must not extend a period. */
const isOver = ({ dueAt }: Period, now: number, periodMs: number): boolean =>
  dueAt <= now || dueAt > now + periodMs;

const mayBelongTo =
  (promptId: string) =>
  (frame: Frame): boolean =>
    frame.promptId === undefined || frame.promptId === promptId;

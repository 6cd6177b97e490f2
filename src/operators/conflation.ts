import { conflationKey } from '../protocol/frames/conflation-key.js';
import type { Frame } from '../protocol/frames/frame.js';

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
export const conflation = (periodMs: number): Conflation => {
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

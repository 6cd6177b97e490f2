import { conflationKey } from '../../core/protocol/frames/conflation-key.js';
import type { Frame } from '../../core/protocol/frames/frame.js';
import { Observable, Subject } from 'rxjs';

/** The frames of one job, for now and for later. */
export interface KeptFrames {
  /** Replays to each subscriber what is kept, then emits what comes. */
  readonly frames: Observable<Frame>;
  /** How many bytes are kept, as estimated by `frameBytes`. */
  readonly bytes: number;
  readonly next: (frame: Frame) => void;
  readonly error: (error: unknown) => void;
  readonly complete: () => void;
  /** Drops frames until no more than so many bytes are kept. */
  readonly shrink: (maxBytes: number) => void;
}

/** The store that bounds {@link keptFrames} gets these calls. */
export interface KeptFramesHooks {
  /** By how much `bytes` has changed. */
  readonly changed: (by: number) => void;
  /** The stream has ended; what is kept stays until it is shrunk. */
  readonly ended: () => void;
}

/** As rxjs's `ReplaySubject`, which only count and time can bound: a store bounds this one by bytes. */
export const keptFrames = ({ changed, ended }: KeptFramesHooks): KeptFrames => {
  const live = new Subject<Frame>();
  /** Replaced where frames are dropped, never changed in place but at its end. */
  let kept: KeptFrame[] = [];
  let bytes = 0;
  let count = 0;

  const grow = (by: number): void => {
    bytes += by;
    changed(by);
  };

  return {
    frames: new Observable((subscriber) => {
      let latest = 0;
      // Frames that arrive while the subscriber takes one stand behind these, and the loop reaches them as well.
      for (;;) {
        const rest = kept.filter(({ number }) => number > latest);
        if (rest.length === 0) break;
        for (const { number, frame } of rest) {
          latest = number;
          subscriber.next(frame);
          if (subscriber.closed) return;
        }
      }
      live.subscribe(subscriber);
    }),
    get bytes() {
      return bytes;
    },
    next: (frame) => {
      const one = { number: (count += 1), frame, bytes: frameBytes(frame) };
      kept.push(one);
      grow(one.bytes);
      live.next(frame);
    },
    error: (error) => {
      ended();
      live.error(error);
    },
    complete: () => {
      ended();
      live.complete();
    },
    shrink: (maxBytes) => {
      if (bytes <= maxBytes) return;
      kept = thinOut(kept, maxBytes);
      grow(kept.reduce((sum, one) => sum + one.bytes, 0) - bytes);
    },
  };
};

/**
 * Estimates how many bytes of memory a decoded frame holds: those of its pictures and texts, and what V8 takes for its objects.
 *
 * Whole numbers that stand in their object are counted with it; keys are shared by all frames and count nothing.
 */
export const frameBytes = (frame: Frame): number => bytesOf(frame);

const objectBytes = 56;
const memberBytes = 8;
const textBytes = 24;
const numberBytes = 16;

const bytesOf = (value: unknown): number => {
  switch (typeof value) {
    case 'string':
      return textBytes + 2 * value.length;
    case 'number':
      return Number.isInteger(value) ? 0 : numberBytes;
    case 'object':
      return value === null ? 0 : bytesOfObject(value);
    default:
      return 0;
  }
};

/** A message is at most 64 levels deep, so that this goes no deeper. */
const bytesOfObject = (value: object): number => {
  if (ArrayBuffer.isView(value)) return objectBytes + value.byteLength;
  let bytes = objectBytes;
  for (const member of Object.values(value) as readonly unknown[]) bytes += memberBytes + bytesOf(member);
  return bytes;
};

/** A frame that is kept. */
export interface KeptFrame {
  /** Counts through the frames of its job. */
  readonly number: number;
  readonly frame: Frame;
  readonly bytes: number;
}

/**
 * Drops as many frames as it takes until no more than `maxBytes` are left, and leaves the others in their order.
 *
 * Pictures go first that a newer one of the same node has replaced, then progress and progress texts that were replaced
 * alike, then the rest; in each group the oldest first.
 */
export const thinOut = (kept: readonly KeptFrame[], maxBytes: number): KeptFrame[] => {
  let excess = kept.reduce((sum, { bytes }) => sum + bytes, 0) - maxBytes;
  const newest = new Map(kept.map((one) => [conflationKey(one.frame), one]));
  const isReplaced = (one: KeptFrame): boolean => {
    const key = conflationKey(one.frame);
    return key !== undefined && newest.get(key) !== one;
  };
  const groups: readonly ((one: KeptFrame) => boolean)[] = [
    (one) => one.frame._tag === 'Preview' && isReplaced(one),
    isReplaced,
    () => true,
  ];
  return groups.reduce(
    (rest, drops) =>
      rest.filter((one) => {
        if (excess <= 0 || !drops(one)) return true;
        excess -= one.bytes;
        return false;
      }),
    [...kept],
  );
};

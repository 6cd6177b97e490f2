import { Observable, Subject } from 'rxjs';
import type { Frame } from '../protocol/frames/frame.js';
import { frameBytes } from './frame-bytes.js';
import { type KeptFrame, thinOut } from './thin-out.js';

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

/** What {@link keptFrames} reports to the store that bounds it. */
export interface KeptFramesHooks {
  /** By how much `bytes` has changed. */
  readonly changed: (by: number) => void;
  /** The stream has ended; what is kept stays until it is shrunk. */
  readonly ended: () => void;
}

/** As rxjs's `ReplaySubject`, which is bounded by count and time only: this one is bounded by bytes, from outside. */
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
      let told = 0;
      // What the subscriber makes come meanwhile stands behind these, and is reached as well.
      for (;;) {
        const untold = kept.filter(({ number }) => number > told);
        if (untold.length === 0) break;
        for (const { number, frame } of untold) {
          told = number;
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

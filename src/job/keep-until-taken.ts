import { Observable, Subject } from 'rxjs';
import type { Frame } from '../protocol/frames/frame.js';

const maxFrames = 1000;

/** A hot stream of frames that waits for its first subscriber. */
export interface KeptFrames {
  readonly frames: Observable<Frame>;
  readonly next: (frame: Frame) => void;
  readonly error: (error: unknown) => void;
  readonly complete: () => void;
}

/**
 * Multicasts frames and keeps those that nobody was there for until the first subscriber takes them.
 *
 * At most 1,000 are kept, and of pictures only the latest of each node: events are worth more than old previews.
 */
export const keepUntilTaken = (): KeptFrames => {
  const live = new Subject<Frame>();
  let kept: Frame[] | undefined = [];
  let isTaken = false;

  return {
    frames: new Observable((subscriber) => {
      if (!isTaken) {
        isTaken = true;
        // What the subscriber makes come meanwhile stands behind these, and is reached as well.
        for (const frame of kept ?? []) subscriber.next(frame);
        kept = undefined;
      }
      live.subscribe(subscriber);
    }),
    next: (frame) => {
      if (kept !== undefined) {
        if (isTaken) kept.push(frame);
        else keep(kept, frame);
      }
      live.next(frame);
    },
    error: (error) => live.error(error),
    complete: () => live.complete(),
  };
};

const keep = (kept: Frame[], frame: Frame): void => {
  if (frame._tag === 'Preview') {
    const older = kept.findIndex((other) => other._tag === 'Preview' && other.nodeId === frame.nodeId);
    if (older >= 0) kept.splice(older, 1);
  }
  kept.push(frame);
  if (kept.length > maxFrames) kept.shift();
};

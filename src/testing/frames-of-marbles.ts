import type { Frame } from '../protocol/frames/frame.js';
import { Observable, type SchedulerLike } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

/** Options of {@link framesOfMarbles}. */
export interface FramesOfMarblesOptions {
  /** The scheduler that the time of the diagram passes on, such as `clock.scheduler` of a `virtualClock`. */
  readonly scheduler: SchedulerLike;
  /** What `#` stands for; default the text `error`. */
  readonly error?: unknown;
}

/**
 * Makes a stream of frames from a marble diagram in the syntax of RxJS's `TestScheduler.run`: each character is one millisecond,
 * `300ms` and `2s` are longer waits, blanks are for the reader.
 *
 * Cold: the diagram begins with each subscription. Throws an `Error` for a character without a frame.
 *
 * @example
 * ```ts
 * import { jobStates } from 'promptwire';
 * import { framesOfMarbles, jobFrames, phaseTimeline, virtualClock } from 'promptwire/testing';
 *
 * const clock = virtualClock();
 * const { start, success } = jobFrames('p1');
 * const frames = framesOfMarbles('s 99ms e|', { s: start, e: success }, { scheduler: clock.scheduler });
 * const life = phaseTimeline(frames.pipe(jobStates()), clock);
 * void clock.advance(200).then(() => console.log(life.diagram)); // in_progress 100ms completed |
 * ```
 */
export const framesOfMarbles = <A extends Frame = Frame>(
  diagram: string,
  frames: Readonly<Record<string, A>>,
  { scheduler, error = 'error' }: FramesOfMarblesOptions,
): Observable<A> => {
  const unknown = namesOf(diagram).find((name) => !Object.hasOwn(frames, name));
  if (unknown !== undefined) throw new Error(`The diagram has no frame for ${JSON.stringify(unknown)}.`);
  const messages = TestScheduler.parseMarbles(diagram, frames, error, false, true);
  return new Observable((subscriber) => {
    for (const { frame: atMs, notification } of messages) {
      const deliver = (): void => {
        if (notification.kind === 'N') subscriber.next(notification.value as A);
        else if (notification.kind === 'E') subscriber.error(notification.error);
        else subscriber.complete();
      };
      subscriber.add(scheduler.schedule(deliver, atMs));
    }
  });
};

/** The characters of a diagram that stand for values. */
const namesOf = (diagram: string): readonly string[] => [
  ...diagram.replaceAll(/(?:^|\s)\d+(?:\.\d+)?(?:ms|s|m)(?=\s|$)/gu, ' ').replaceAll(/[-\s()|#^!]/gu, ''),
];

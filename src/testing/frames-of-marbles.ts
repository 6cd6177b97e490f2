import type { Frame } from '../core/protocol/frames/frame.js';
import { Observable, type SchedulerLike } from 'rxjs';

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
  const moments = readMarbles(diagram).map(({ atMs, mark }) => {
    const frame = Object.hasOwn(frames, mark) ? frames[mark] : undefined;
    if (frame === undefined && !ends.has(mark)) {
      throw new Error(`The diagram has no frame for ${JSON.stringify(mark)}.`);
    }
    return { atMs, mark, frame };
  });
  return new Observable((subscriber) => {
    for (const { atMs, mark, frame } of moments) {
      const deliver = (): void => {
        if (frame !== undefined) subscriber.next(frame);
        else if (mark === '|') subscriber.complete();
        else subscriber.error(error);
      };
      subscriber.add(scheduler.schedule(deliver, atMs));
    }
  });
};

const ends: ReadonlySet<string> = new Set(['|', '#']);

/** What happens when: each character, the parentheses included, takes a millisecond, and what stands in them happens at once. */
const readMarbles = (diagram: string): readonly { readonly atMs: number; readonly mark: string }[] => {
  const moments: { readonly atMs: number; readonly mark: string }[] = [];
  let atMs = 0;
  let groupAt: number | undefined;
  for (const [token, amount, unit = ''] of diagram.matchAll(/(?<!\S)(\d+(?:\.\d+)?)(ms|s|m)(?!\S)|\S/gu)) {
    if (amount !== undefined) {
      atMs += Number(amount) * (unitMs.get(unit) ?? 1);
      continue;
    }
    if (token === '(') groupAt = atMs;
    else if (token === ')') groupAt = undefined;
    else if (token !== '-') moments.push({ atMs: groupAt ?? atMs, mark: token });
    atMs += 1;
  }
  return moments;
};

const unitMs: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
]);

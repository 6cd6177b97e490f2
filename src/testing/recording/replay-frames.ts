import type { Frame } from '../../core/protocol/frames/frame.js';
import { asyncScheduler, defer, from, map, mergeMap, Observable, of, type SchedulerLike } from 'rxjs';
import { decodeFrame } from '../../core/protocol/frames/decode-frame.js';
import { readRecording } from './read-recording.js';
import { readTextFile } from './disk.js';
import { serviceError } from '../../core/errors/service-error.js';

/** What {@link replayFrames} plays: a path, a file of a page, or the text of a recording. */
export type RecordingSource = string | Blob | { readonly text: string };

/** Options of {@link replayFrames}. */
export interface ReplayFramesOptions {
  /** 1 is as recorded, which is the default, 10 ten times as fast, `max` without any wait. */
  readonly speed?: number | 'max' | undefined;
  /** Whose time passes between frames; default the machine's. `clock.scheduler` of a `virtualClock` makes it a test's. */
  readonly scheduler?: SchedulerLike | undefined;
  /** The layout of progress texts, where the recording does not hold what the service announced; see `decodeFrame`. */
  readonly promptText?: boolean | undefined;
  /** Largest message in bytes, as it was before its picture was left out; default 256 MiB. A larger one is `InvalidRecording`. */
  readonly maxMessageBytes?: number | undefined;
}

/**
 * Plays the frames of a recording: of `recordFrames`, of `promptwire run --record`, or a HAR with `_webSocketMessages`, as the tools of a
 * browser export it.
 *
 * Cold: each subscription reads the recording again. The first frame comes at once, the others after the recorded time between them,
 * and it completes after the last one. Messages that the client sent are not played. A recording that is cut or malformed
 * errors with `InvalidRecording`, which names the line, after the frames before it; a file that can't be read with `FileSystem`.
 * A path needs a disk, and so is `InvalidConfig` in a page.
 *
 * @example
 * ```ts
 * import { jobStates } from 'promptwire';
 * import { replayFrames } from 'promptwire/testing';
 *
 * const show = (path: string) =>
 *   replayFrames(path, { speed: 10 }).pipe(jobStates()).subscribe(({ phase, progress }) => console.log(phase, progress));
 * ```
 */
export const replayFrames = (
  source: RecordingSource,
  { speed = 1, scheduler = asyncScheduler, promptText, maxMessageBytes }: ReplayFramesOptions = {},
): Observable<Frame> => {
  if (speed !== 'max' && !(speed > 0)) {
    throw serviceError('InvalidConfig', {
      option: 'speed',
      message: 'speed takes a number above 0, or max.',
    });
  }
  return textOf(source).pipe(
    mergeMap((text) => {
      const frames = framesOf(text, promptText, maxMessageBytes);
      return speed === 'max' ? from(frames) : inTime(frames, speed, scheduler);
    }),
    map(({ frame }) => frame),
  );
};

const textOf = (source: RecordingSource): Observable<string> =>
  defer(() => {
    if (typeof source === 'string') return of(readTextFile(source));
    return source instanceof Blob ? from(source.text()) : of(source.text);
  });

interface TimedFrame {
  readonly ms: number;
  readonly frame: Frame;
}

/** Each socket announces the layout of its progress texts anew. */
const framesOf = function* (
  text: string,
  promptText: boolean | undefined,
  maxMessageBytes: number | undefined,
): Generator<TimedFrame> {
  const layouts = new Map<number, boolean>();
  for (const recorded of readRecording(text, maxMessageBytes)) {
    if (recorded.kind === 'opened') {
      layouts.delete(recorded.socket);
    } else if (recorded.direction === 'in') {
      const { ms, data, socket } = recorded;
      const layout = recorded.promptText ?? layouts.get(socket) ?? promptText;
      const frame =
        typeof data === 'object' && '_tag' in data ? data : decodeFrame(data, { promptText: layout });
      if (frame._tag === 'Event' && frame.type === 'feature_flags') {
        layouts.set(socket, frame.data['supports_progress_text_metadata'] === true);
      }
      yield { ms, frame };
    }
  }
};

/** Reads one frame ahead, and counts from the first one, so that delays don't add up. */
const inTime = (
  frames: Iterator<TimedFrame, unknown>,
  speed: number,
  scheduler: SchedulerLike,
): Observable<TimedFrame> =>
  new Observable((subscriber) => {
    const startedAt = scheduler.now();
    let firstMs: number | undefined;
    const playNext = (): void => {
      const next = frames.next();
      if (next.done === true) {
        subscriber.complete();
        return;
      }
      const { value } = next;
      firstMs ??= value.ms;
      const waitMs = (value.ms - firstMs) / speed - (scheduler.now() - startedAt);
      subscriber.add(scheduler.schedule(() => deliver(value), Math.max(0, waitMs)));
    };
    const deliver = (value: TimedFrame): void => {
      subscriber.next(value);
      try {
        playNext();
      } catch (error) {
        subscriber.error(error);
      }
    };
    playNext();
  });

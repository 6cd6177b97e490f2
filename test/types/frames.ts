import {
  type AsyncValues,
  collectOutputs,
  type EventData,
  forPrompt,
  type Frame,
  jobStates,
  type JobState,
  latest,
  type Outputs,
  type Preview,
  previews,
  progress,
  type Progress,
  toAsyncIterable,
  untilTerminal,
} from 'promptwire';
import type { decodeFrame } from 'promptwire';
import type { Observable } from 'rxjs';
import type { Equal, Expect } from './equal.js';

declare const frames: Observable<Frame>;

export const shown = () => frames.pipe(forPrompt('a'), latest({ periodMs: 100 }), previews());
export const kept = () => frames.pipe(forPrompt('a'), untilTerminal(), collectOutputs());
export const states = () => frames.pipe(jobStates());
export const shares = () => states().pipe(progress());
export const iterated = () => toAsyncIterable(shown());

export type Streams = [
  Expect<Equal<ReturnType<typeof shown>, Observable<Preview>>>,
  Expect<Equal<ReturnType<typeof kept>, Observable<Outputs>>>,
  Expect<Equal<ReturnType<typeof states>, Observable<JobState>>>,
  Expect<Equal<ReturnType<typeof shares>, Observable<Progress>>>,
  Expect<Equal<ReturnType<typeof iterated>, AsyncValues<Preview>>>,
  Expect<Equal<ReturnType<typeof decodeFrame>, Frame>>,
  Expect<Equal<EventData['progress']['max'], number | null>>,
];

export const sizeOf = (frame: Frame): number | string => {
  switch (frame._tag) {
    case 'Preview':
      return frame.image.byteLength;
    case 'Text':
      return frame.text;
    case 'Malformed':
      return frame.size;
    case 'Event':
      return frame.type === 'progress' ? (frame.data.value ?? 0) : frame.type;
    case 'Unknown':
      return frame.kind;
  }
};

export const refused: readonly ((frame: Frame) => unknown)[] = [
  (frame) => {
    // @ts-expect-error -- only a preview has a picture
    const { image } = frame;
    return typeof image;
  },
  // @ts-expect-error -- progress is of states, not of frames
  () => frames.pipe(progress()),
];

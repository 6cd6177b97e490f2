import type { Frame } from '../../core/protocol/frames/frame.js';
import type { JobInput } from '../../core/state/step-job-state.js';
import type { JobState } from '../../core/state/job-state.js';
import { missingSocketImages, socketImagePlace } from '../../core/state/socket-images.js';

/** Bounds the bytes of `SaveImageWebsocket` pictures that the states of all jobs hold together. */
export interface ImageBound {
  /** The frame as it is, or without its picture where that is a result and there is no room for it. */
  readonly bounded: (state: JobState, frame: Frame) => Frame;
}

/** Makes the {@link ImageBound} of the jobs that are followed at a time. */
export const imageBound = (
  maxBytes = 256 * 1024 * 1024,
  jobs: () => Iterable<{ readonly imageBytes: number }>,
): ImageBound => ({
  bounded: (state, frame) => {
    if (frame._tag !== 'Preview' || socketImagePlace(state, frame) === undefined) return frame;
    const held = [...jobs()].reduce((sum, { imageBytes }) => sum + imageBytes, 0);
    return held + frame.image.length <= maxBytes ? frame : { ...frame, image: new Uint8Array() };
  },
});

/**
 * The end of a job of which one socket did not bring all events: where the job completed and pictures are missing, its outputs are not
 * complete, and a warning says so.
 */
export const withMissingImages = (state: JobState, end: JobInput): JobInput => {
  if (end._tag !== 'HistoryRead' || end.phase !== 'completed') return end;
  const missing = missingSocketImages(state);
  if (missing === 0) return end;
  const pictures = missing === 1 ? 'A picture' : `${missing} pictures`;
  const warning = `${pictures} of SaveImageWebsocket came over the socket while this client did not hear it, and the service keeps none.`;
  return { ...end, isFinal: false, warning };
};

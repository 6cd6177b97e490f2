import type { Frame } from './frame.js';

/** Whether a frame is `executing` without a node: the trailing mark of a run, which does not say how it ended. */
export const isEndMark = (frame: Frame): boolean =>
  frame._tag === 'Event' && frame.type === 'executing' && (frame.data.node ?? '') === '';

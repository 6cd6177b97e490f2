import { type Frame, isFrame } from './frame.js';

/**
 * Says which values may stand in for each other when a consumer is slower than its stream: of those with the same key
 * the newest is enough. `undefined` means that this one must not be lost.
 *
 * Previews, progress and progress texts have a key for each job and node, since each replaces the one before; every
 * other frame is part of the job's life and has none. States of a job share its key, of `runAll` the key of the index:
 * each contains all that came before, a terminal one is the last. All values of any other kind share one key
 * (docs/protocol.md, chapters 6 and 7).
 */
export const conflationKey = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null) return 'value';
  if (isFrame(value)) return frameKey(value);
  if ('phase' in value && 'promptId' in value && isId(value.promptId)) return join('state', value.promptId);
  if ('index' in value && 'state' in value && isId(value.index)) return join('index', value.index);
  return 'value';
};

const frameKey = (frame: Frame): string | undefined => {
  switch (frame._tag) {
    case 'Preview':
    case 'Text':
      return join(frame._tag, frame.promptId, frame.nodeId);
    case 'Event':
      return eventKey(frame);
    default:
      return undefined;
  }
};

const eventKey = (event: Extract<Frame, { readonly _tag: 'Event' }>): string | undefined => {
  switch (event.type) {
    case 'progress':
      return join(event.type, event.promptId, event.data.node);
    case 'progress_state':
      return join(event.type, event.promptId);
    default:
      return undefined;
  }
};

/** A line break stands between the parts; ids that contain one only share a key needlessly. */
const join = (...parts: readonly (string | number | null | undefined)[]): string =>
  parts.map((part) => part ?? '').join('\n');

const isId = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

import { type Frame, isFrame } from './frame.js';
import { replacedBy } from '../event-data.js';

/**
 * The key under which a newer value replaces an older one where a consumer is slower than its stream; undefined for a value
 * that must not be lost.
 *
 * Previews, progress and progress texts have a key per job and node; `progress_state` has one per job, and every other frame
 * has none. The states of a job share its key, and those of `runAll` share the key of their index, because each state
 * contains all before it. All other values share one key (docs/protocol.md, chapters 6 and 7).
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
  const by = replacedBy[event.type];
  if (by === undefined) return undefined;
  const { node } = event.data as { readonly node?: string | null };
  return join(event.type, event.promptId, ...(by === 'node' ? [node] : []));
};

/** Joins by line breaks; ids that contain one may share a key, which only conflates more. */
const join = (...parts: readonly (string | number | null | undefined)[]): string =>
  parts.map((part) => part ?? '').join('\n');

const isId = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

import type { Frame } from './frame.js';

/** Tells a frame from the other values that flow through our streams. */
export const isFrame = (value: unknown): value is Frame =>
  typeof value === 'object' && value !== null && '_tag' in value && tags.has(value._tag);

const tags: ReadonlySet<unknown> = new Set<Frame['_tag']>([
  'Event',
  'Preview',
  'Text',
  'Unknown',
  'Malformed',
]);

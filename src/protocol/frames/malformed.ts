import type { Malformed } from './frame.js';

/** Makes the value for a frame that could not be read; `size` in bytes or UTF-16 units. */
export const malformed = (reason: string, size: number, sample: string): Malformed => ({
  _tag: 'Malformed',
  reason,
  size,
  sample,
});

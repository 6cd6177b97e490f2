import type { Platform } from '../../socket/platform.js';

/** Sends requests over connections of its own, and ends those. */
export interface RequestSender {
  readonly request: Platform['request'];
  readonly close: () => Promise<void>;
}

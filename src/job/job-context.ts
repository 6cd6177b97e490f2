import type { Dialect } from '../protocol/dialect.js';
import type { Rest } from '../http/rest.js';
import type { FrameSource } from '../socket/frames.js';
import type { Platform } from '../socket/platform.js';
import type { AcceptedIds } from './accepted-ids.js';
import type { FrameMemory } from './frame-memory.js';
import type { OpenWork } from './open-work.js';
import type { JobTracker } from './tracker.js';

/** What submitting and following jobs need of their client. */
export interface JobContext {
  readonly platform: Platform;
  readonly rest: Rest;
  readonly source: FrameSource;
  readonly dialect: Dialect;
  /** What its submissions were answered with. */
  readonly accepted: AcceptedIds;
  /** Where all jobs of the client are followed. */
  readonly tracker: JobTracker;
  /** Where the frames of its handles are kept. */
  readonly frames: FrameMemory;
  /** What is not settled yet. */
  readonly work: OpenWork;
}

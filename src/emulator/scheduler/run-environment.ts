import type { NodeClass } from '../engine/node-class.js';
import type { EventData, ServiceMessage } from '../messages.js';
import type { Switches } from '../options.js';
import type { Pace } from '../pace.js';
import type { FileStore } from '../store/file-store.js';
import type { Job } from './job.js';
import type { ResultCache } from './result-cache.js';

/** What a run needs from around it; no socket and no timer of its own. */
export interface RunEnvironment {
  readonly nodeClasses: ReadonlyMap<string, NodeClass>;
  readonly switches: Pick<Switches, 'videoKey'>;
  readonly cache: ResultCache;
  readonly files: FileStore;
  readonly pace: Pace;
  readonly send: (message: ServiceMessage) => void;
  /** Sends an event with its time, and keeps it for the job's history. */
  readonly record: (job: Job, type: string, data: EventData) => void;
}

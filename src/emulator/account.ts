import type { FileStore } from './store/file-store.js';
import type { Scheduler } from './scheduler/scheduler.js';
import type { Hub } from './sockets/hub.js';

/** Everything that belongs to one key; accounts know nothing of each other. */
export interface Account {
  readonly userId: string;
  readonly files: FileStore;
  readonly scheduler: Scheduler;
  readonly hub: Hub;
}

export { type FilePorts, filePorts, type FilePortsOptions } from './file-ports.js';
export { type NodeHandler, toNodeHandler } from './to-node-handler.js';
export type { JournalOptions } from './file-journal.js';
export type * from '../jobs/job-event.js';
export type * from '../ports/event-log.js';
export type * from '../ports/job-index.js';
export type { EventLogLimits } from '../ports/event-table.js';
export type { JobIndexLimits } from '../ports/job-table.js';

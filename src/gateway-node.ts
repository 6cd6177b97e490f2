export {
  checkFolder,
  type CheckFolderOptions,
  type FolderReport,
} from './server/gateway/node/check-folder.js';
export { type FilePorts, filePorts, type FilePortsOptions } from './server/gateway/node/file-ports.js';
export {
  type NodeHandler,
  type NodeHandlerOptions,
  type NodeResponse,
  toNodeHandler,
} from './server/gateway/node/to-node-handler.js';
export type { NodeRequest } from './server/gateway/node/node-request.js';
export { webhookSender } from './server/gateway/node/webhook-sender.js';
export { inputFetcher } from './server/gateway/node/input-fetcher.js';
export type * from './server/gateway/calls/input-fetcher.js';
export type * from './core/events/job-log-event.js';
export type * from './server/joblog/event-log.js';
export type * from './server/joblog/job-index.js';
export type * from './server/joblog/template-store.js';
export type { TemplateStoreLimits } from './server/gateway/store/template-store.js';
export type { ImagePlace, JobImage, JobImages } from './server/joblog/job-images.js';
export type { EventLogLimits } from './server/gateway/store/remove-events.js';
export type { JobIndexLimits } from './server/gateway/store/make-room.js';
export type * from './server/gateway/ports/asset-index.js';
export type * from './server/gateway/ports/webhook-store.js';
export type { WebhookKind } from './core/events/webhook-kinds.js';
export type {
  WebhookAnswer,
  WebhookRequest,
  WebhookSender,
} from './server/gateway/webhooks/webhook-sender.js';
export type { AssetIndexLimits } from './server/gateway/store/asset-index.js';

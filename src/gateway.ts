export { bearerTokens } from './server/gateway/http/bearer-tokens.js';
export { createGateway } from './server/gateway/create-gateway.js';
export { memoryAssetIndex, type MemoryAssetIndexOptions } from './server/gateway/store/memory-asset-index.js';
export { memoryEventLog } from './server/gateway/store/memory-event-log.js';
export type { LookRules } from './core/lost/decide-match.js';
export type { GatewayPool } from './server/gateway/services/gateway-pool.js';
export type {
  GeneratedPoolState,
  IndexedPoolJobState,
  Pool,
  PoolJob,
  PoolJobState,
  PoolListedJob,
  ServerOptions,
} from './client/pool/pool-types.js';
export type * from './client/pool/start-options.js';
export type { PoolServer } from './core/state/pool-server.js';
export type { ServerCapabilities } from './core/state/server-capabilities.js';
export type { RemoteServer } from './core/events/remote-server.js';
export type { GatewayQueue } from './server/gateway/services/gateway-queue.js';
export { memoryJobIndex } from './server/gateway/store/memory-job-index.js';
export { memoryTemplateStore } from './server/gateway/store/memory-template-store.js';
export type * from './server/joblog/template-store.js';
export type { TemplateStoreLimits } from './server/gateway/store/template-store.js';
export { memoryWebhookStore } from './server/gateway/store/memory-webhook-store.js';
export {
  verifyWebhook,
  type VerifiedWebhook,
  type VerifyWebhookOptions,
  type WebhookHeaders,
  type WebhookRefused,
} from './server/gateway/webhooks/verify-webhook.js';
export type { WebhookKind } from './core/events/webhook-kinds.js';
export type { WebhookMessage } from './server/gateway/webhooks/webhook-message.js';
export type { WebhookOptions } from './server/gateway/webhooks/webhook-options.js';
export type {
  WebhookAnswer,
  WebhookRequest,
  WebhookSender,
} from './server/gateway/webhooks/webhook-sender.js';
export type * from './server/gateway/ports/webhook-store.js';
export type {
  AccessEntry,
  Authorize,
  Caller,
  CallerLimits,
  GatewayTotals,
  Gateway,
  GatewayOptions,
} from './server/gateway/options.js';
export type { GatewayTemplate, GatewayTemplates, TemplateResult } from './server/gateway/templates.js';
export type * from './server/gateway/calls/input-fetcher.js';
export type { InputOptions } from './server/gateway/calls/input-options.js';
export type * from './core/events/job-log-event.js';
export type * from './server/gateway/ports/asset-index.js';
export type * from './server/joblog/event-log.js';
export type * from './server/joblog/job-index.js';
export type { QueueLog, QueueProgress } from './server/joblog/queue-log.js';
export type { ImagePlace, JobImage, JobImages } from './server/joblog/job-images.js';
export type { AssetIndexLimits } from './server/gateway/store/asset-index.js';
export type { EventLogLimits } from './server/gateway/store/remove-events.js';
export type { JobIndexLimits } from './server/gateway/store/make-room.js';

export { bearerTokens } from './http/bearer-tokens.js';
export { createGateway } from './create-gateway.js';
export { memoryAssetIndex, type MemoryAssetIndexOptions } from './ports/memory-asset-index.js';
export { memoryEventLog } from './ports/memory-event-log.js';
export type { LookRules } from './lost/by-sight.js';
export type { GatewayQueue } from './jobs/queue-upstream.js';
export { memoryJobIndex } from './ports/memory-job-index.js';
export { memoryWebhookStore } from './ports/memory-webhook-store.js';
export {
  verifyWebhook,
  type VerifiedWebhook,
  type VerifyWebhookOptions,
  type WebhookHeaders,
  type WebhookRefused,
} from './webhooks/verify-webhook.js';
export type { WebhookKind } from './webhooks/webhook-kinds.js';
export type { WebhookMessage } from './webhooks/webhook-message.js';
export type { WebhookOptions } from './webhooks/webhook-options.js';
export type { WebhookRequest, WebhookSender } from './webhooks/webhook-sender.js';
export type * from './ports/webhook-store.js';
export type { AccessEntry, Authorize, Caller, CallerLimits, Gateway, GatewayOptions } from './options.js';
export type { GatewayTemplate, GatewayTemplates, TemplateResult } from './templates.js';
export type * from '../events/job-event.js';
export type * from './ports/asset-index.js';
export type * from './ports/event-log.js';
export type * from './ports/job-index.js';
export type { AssetIndexLimits } from './store/asset-index.js';
export type { EventLogLimits } from './store/remove-events.js';
export type { JobIndexLimits } from './store/add-job.js';

import { memoryStore } from './memory-store.js';
import type { WebhookStore } from '../ports/webhook-store.js';
import { webhookStoreIn } from './webhook-store.js';

/** Makes a {@link WebhookStore} in memory: a restart forgets it, so callers put their webhooks again. */
export const memoryWebhookStore = (): WebhookStore => webhookStoreIn(memoryStore());

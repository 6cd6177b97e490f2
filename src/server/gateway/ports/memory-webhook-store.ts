import { memoryStore } from '../store/memory-store.js';
import type { WebhookStore } from './webhook-store.js';
import { webhookStoreIn } from '../store/webhook-store.js';

/** Makes a {@link WebhookStore} in memory: a restart forgets it, so callers put their webhooks again. */
export const memoryWebhookStore = (): WebhookStore => webhookStoreIn(memoryStore());

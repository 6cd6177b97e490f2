import type { WebhookStore } from './webhook-store.js';
import { webhookTable } from './webhook-table.js';

/** Makes a {@link WebhookStore} in memory: a restart forgets it, so callers put their webhooks again. */
export const memoryWebhookStore = (): WebhookStore => {
  const table = webhookTable();
  return {
    all: () => Promise.resolve(table.all()),
    put: (record) => {
      table.put(record);
      return Promise.resolve();
    },
    remove: (owner) => {
      table.remove(owner);
      return Promise.resolve();
    },
    progressed: (owner, jobId, progress) => {
      table.progressed(owner, jobId, progress);
      return Promise.resolve();
    },
    forget: (owner, jobId) => {
      table.forget(owner, jobId);
      return Promise.resolve();
    },
  };
};

import type { StoredWebhook, WebhookProgress, WebhookRecord } from './webhook-store.js';

/** Webhooks in memory: what each store keeps, durable or not. Changes for an unknown owner do nothing. */
export interface WebhookTable {
  readonly all: () => readonly StoredWebhook[];
  readonly put: (record: WebhookRecord) => void;
  readonly remove: (owner: string) => void;
  readonly progressed: (owner: string, jobId: string, progress: WebhookProgress) => void;
  readonly forget: (owner: string, jobId: string) => void;
  /** How many lines it takes to write everything. */
  readonly size: () => number;
}

/** Makes an empty table of webhooks. */
export const webhookTable = (): WebhookTable => {
  const hooks = new Map<string, { record: WebhookRecord; readonly progress: Map<string, WebhookProgress> }>();
  return {
    all: () => [...hooks.values()].map(({ record, progress }) => ({ record, progress: new Map(progress) })),
    put: (record) => {
      const known = hooks.get(record.owner);
      if (known === undefined) hooks.set(record.owner, { record, progress: new Map() });
      else known.record = record;
    },
    remove: (owner) => void hooks.delete(owner),
    progressed: (owner, jobId, progress) => void hooks.get(owner)?.progress.set(jobId, progress),
    forget: (owner, jobId) => void hooks.get(owner)?.progress.delete(jobId),
    size: () => [...hooks.values()].reduce((sum, { progress }) => sum + 1 + progress.size, 0),
  };
};

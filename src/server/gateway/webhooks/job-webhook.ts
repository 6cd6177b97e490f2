import type { WebhookRecord } from '../ports/webhook-store.js';

/** The name under which the webhook of one job is kept; no caller has it, as it holds a control character. */
export const jobWebhookName = (owner: string, jobId: string): string =>
  `\u0000${JSON.stringify([owner, jobId])}`;

/** The name of a target: all webhooks of a caller at one origin have the same. */
export const targetOf = (record: WebhookRecord): string => {
  const { url } = record;
  return JSON.stringify([callerOf(record), URL.canParse(url) ? new URL(url).origin : url]);
};

/** The caller whose jobs a webhook gets messages of. */
export const callerOf = ({ owner, job }: WebhookRecord): string => job?.owner ?? owner;

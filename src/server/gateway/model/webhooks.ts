import type { WebhookJob, WebhookRecord } from '../ports/webhook-store.js';

/** What a caller asks for. */
export type WebhookRegistration = Pick<WebhookRecord, 'url' | 'events' | 'secrets'>;

/** A webhook and why its messages do not arrive. */
export interface KnownWebhook {
  readonly record: WebhookRecord;
  readonly lastFailure: string | undefined;
}

/** The webhooks of all callers. */
export interface Webhooks {
  readonly get: (owner: string) => KnownWebhook | undefined;
  /**
   * Sets the webhook of an owner; resolves once it is durable. A new one gets what happens from now on; one that there was goes on
   * where it was, also where it was parked.
   */
  readonly put: (owner: string, registration: WebhookRegistration) => Promise<KnownWebhook & PutResult>;
  /**
   * Sets the webhook of one job, beside that of its owner; resolves once it is durable. It gets every event of the job, and is removed with
   * the job.
   */
  readonly putOfJob: (job: WebhookJob, registration: WebhookRegistration) => Promise<void>;
  /** False if the caller had no such webhook. */
  readonly remove: (owner: string) => Promise<boolean>;
  /** Ends what is under way; what has not arrived is sent after the next start. */
  readonly close: () => Promise<void>;
}

/** What became of {@link Webhooks.put}. */
export interface PutResult {
  readonly isNew: boolean;
}

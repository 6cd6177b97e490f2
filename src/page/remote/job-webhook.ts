import type { WebhookKind } from '../../core/events/webhook-kinds.js';

/**
 * The webhook of one job: the gateway sends what happens to it as requests, signed after Standard Webhooks. Its secrets are no matter for a
 * page that strangers load: a program on a server submits with it.
 */
export interface JobWebhook {
  /** Where messages go: `https:` or `http:`, on a public host or one that the operator of the gateway allows. */
  readonly url: string;
  /** 1 to 5 texts: `whsec_` and 24 to 64 random bytes as base64; the gateway signs with each. */
  readonly secrets: readonly string[];
  /** Which messages go there; default all. `job.ended` has `inputs` and `outputs` by name. */
  readonly events?: readonly WebhookKind[] | undefined;
}

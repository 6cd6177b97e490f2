import type { DeliveryContext } from './delivery-context.js';
import { memoryWebhookStore } from '../store/memory-webhook-store.js';
import { namedSlots, slots } from '../../../core/interop/slots.js';
import type { WebhookSender } from './webhook-sender.js';
import type { WebhookStore } from '../ports/webhook-store.js';

/** How a gateway sends webhooks. */
export interface WebhookOptions {
  /** Sends the messages: `webhookSender(defaultPlatform())` of `promptwire/gateway/node`. The gateway closes it with itself. */
  readonly sender: WebhookSender;
  /**
   * Hosts that a webhook may have although their addresses are not public, such as `hooks.internal` or `10.0.0.5:8080`: as they stand in
   * the address, without a port for all of its ports. Default none.
   */
  readonly allowHosts?: readonly string[];
  /** How long a target may take to answer, in milliseconds; default 15 000. */
  readonly timeoutMs?: number;
  /** Upper bound of the wait after a first failure, in milliseconds; it doubles with each further one. Default 5 000. */
  readonly retryMs?: number;
  /** Upper bound of every wait, in milliseconds; default one hour. */
  readonly retryCapMs?: number;
}

const random = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;

/** Requests under way, of all webhooks. */
const allSlots = 64;
/** Requests under way of one caller to one origin. */
const slotsOfTarget = 4;
const hourMs = 60 * 60 * 1000;

/** What the options of a gateway say about deliveries. */
export const deliveriesOf = (
  { sender, allowHosts = [], timeoutMs = 15_000, retryMs = 5_000, retryCapMs = hourMs }: WebhookOptions,
  store: WebhookStore = memoryWebhookStore(),
): Omit<DeliveryContext, 'job' | 'log' | 'clock'> => ({
  ...{ sender, store, allowHosts, timeoutMs },
  backoff: { baseMs: retryMs, capMs: retryCapMs },
  slots: slots(allSlots),
  targets: namedSlots(slotsOfTarget),
  random,
});

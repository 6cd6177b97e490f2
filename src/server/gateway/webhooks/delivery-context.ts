import type { BackoffOptions } from '../../../core/platform/backoff.js';
import type { Clock } from '../../../core/platform/platform.js';
import type { EventLog } from '../../joblog/event-log.js';
import type { JobEntry } from '../registry/job-entry.js';
import type { NamedSlots, Slots } from '../../../core/interop/slots.js';
import type { WebhookSender } from './webhook-sender.js';
import type { WebhookStore } from '../ports/webhook-store.js';

/** What all deliveries of a gateway share. */
export interface DeliveryContext {
  readonly clock: Clock;
  readonly random: () => number;
  readonly job: (id: string) => JobEntry | undefined;
  readonly log: EventLog;
  readonly store: WebhookStore;
  readonly sender: WebhookSender;
  readonly allowHosts: readonly string[];
  readonly timeoutMs: number;
  readonly backoff: BackoffOptions;
  /** The tries of all webhooks. */
  readonly slots: Slots;
  /** The tries of one caller to one origin, whichever webhooks they are of. */
  readonly targets: NamedSlots;
}

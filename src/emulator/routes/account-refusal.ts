import type { Account } from '../account.js';
import { promptRefusal, type Answer } from '../http/answer.js';
import type { Service } from '../service.js';

/** Why the account may not submit now: no plan, no credits or a full queue; `undefined` where it may. */
export const accountRefusal = ({ billing, settings }: Service, account: Account): Answer | undefined => {
  const { has, switches } = settings;
  const plan = switches.inactiveSubscription;
  if (billing() === 'inactive' && has(`status:${plan}`)) {
    const message = 'The account has no active subscription.';
    return promptRefusal(plan, { type: 'CLOUD_SUBSCRIPTION_REQUIRED', message });
  }
  if (billing() === 'no credits' && has('status:402')) {
    return promptRefusal(402, { type: 'PAYMENT_REQUIRED', message: 'The account has no credits left.' });
  }
  if (account.scheduler.queued() >= switches.queueLimit && has('status:429')) {
    const message = `The queue is full: ${switches.queueLimit} jobs wait.`;
    return promptRefusal(429, { type: 'QUEUE_LIMIT', message });
  }
  return undefined;
};

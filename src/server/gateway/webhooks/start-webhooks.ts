import { deliver, type Delivery } from './deliver.js';
import type { DeliveryContext } from './delivery-context.js';
import { type DeliveryProgress, deliveryProgress } from './delivery-progress.js';
import type { KnownWebhook, Webhooks } from '../model/webhooks.js';
import type { PublishedJobs } from '../registry/job-registry.js';
import { serialQueues } from '../../../core/interop/serial-queues.js';
import type { WebhookRecord } from '../ports/webhook-store.js';

interface Hook {
  record: WebhookRecord;
  readonly progress: DeliveryProgress;
  /** Absent where the webhook is parked since before the start. */
  delivery?: Delivery;
}

/** Takes up the webhooks that the store knows, and sends what becomes known in the registry from then on. */
export const startWebhooks = async (
  context: Omit<DeliveryContext, 'job'>,
  registry: PublishedJobs,
): Promise<Webhooks> => {
  const { store, clock, sender } = context;
  const hooks = new Map<string, Hook>();
  /** The changes of one owner come one after the other. */
  const changes = serialQueues();
  const isKnown = (jobId: string): boolean => registry.get(jobId) !== undefined;

  const start = (hook: Hook): void => {
    hooks.set(hook.record.owner, hook);
    if (hook.record.parked !== undefined) return;
    const park = (reason: string): void => {
      hook.record = { ...hook.record, parked: { at: clock.wall(), reason } };
      // Where it can't be written, it is tried again after a restart.
      void store.put(hook.record).catch(() => undefined);
    };
    const delivery = deliver({ ...context, job: registry.get }, hook.record, hook.progress, park);
    hook.delivery = delivery;
    for (const { record } of registry.ofOwner(hook.record.owner)) delivery.wake(record.id);
  };
  const forget = (hook: Hook, jobId: string): void => {
    hook.delivery?.forget(jobId);
    hook.progress.forget(jobId);
  };
  /** Stops the deliveries of a webhook while the store takes a change of it; they go on where it does not. */
  const stopFor = async (hook: Hook | undefined, change: () => Promise<void>): Promise<void> => {
    await hook?.delivery?.stop();
    try {
      await change();
    } catch (error) {
      if (hook !== undefined) start(hook);
      throw error;
    }
  };

  const published = registry.changes.subscribe({
    next: ({ owner, jobId }) => {
      const hook = hooks.get(owner);
      if (hook === undefined) return;
      if (isKnown(jobId)) hook.delivery?.wake(jobId);
      else forget(hook, jobId);
    },
    error: () => undefined,
  });
  for (const { record, progress: stored } of await store.all()) {
    const hook: Hook = { record, progress: deliveryProgress(store, record.owner, isKnown, stored) };
    start(hook);
    for (const jobId of hook.progress.jobIds()) if (!isKnown(jobId)) forget(hook, jobId);
  }

  return {
    get: (owner) => {
      const hook = hooks.get(owner);
      return hook && known(hook);
    },
    put: (owner, registration) =>
      changes.run(owner, async () => {
        const before = hooks.get(owner);
        await registry.ready(owner);
        const from = before?.record.from ?? registry.position(owner) ?? '';
        const createdAt = before?.record.createdAt ?? clock.wall();
        const record: WebhookRecord = { ...registration, owner, createdAt, from };
        await stopFor(before, () => store.put(record));
        const progress = before?.progress ?? deliveryProgress(store, owner, isKnown);
        await progress.renew();
        const hook: Hook = { record, progress };
        start(hook);
        return { ...known(hook), isNew: before === undefined };
      }),
    remove: (owner) =>
      changes.run(owner, async () => {
        const hook = hooks.get(owner);
        if (hook === undefined) return false;
        await stopFor(hook, () => store.remove(owner));
        hooks.delete(owner);
        return true;
      }),
    close: async () => {
      published.unsubscribe();
      await changes.settled();
      await Promise.all([...hooks.values()].map(async ({ delivery }) => delivery?.stop()));
      await sender.close?.();
      await store.close?.();
    },
  };
};

const known = ({ record, delivery }: Hook): KnownWebhook => ({
  record,
  lastFailure: record.parked === undefined ? delivery?.lastFailure() : undefined,
});

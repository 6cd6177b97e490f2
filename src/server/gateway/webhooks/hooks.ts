import { deliver, type Delivery } from './deliver.js';
import type { DeliveryContext } from './delivery-context.js';
import { type DeliveryProgress, deliveryProgress } from './delivery-progress.js';
import type { PublishedJobs } from '../registry/job-registry.js';
import { serialQueues } from '../../../core/interop/serial-queues.js';
import type { StoredWebhook, WebhookRecord } from '../ports/webhook-store.js';

/** A webhook and its deliveries. */
export interface Hook {
  record: WebhookRecord;
  readonly progress: DeliveryProgress;
  /** Absent if the webhook was parked before the start. */
  delivery?: Delivery;
}

/** The webhooks of a gateway, by the names under which they are kept. The changes of one come one after the other. */
export interface Hooks {
  readonly get: (name: string) => Hook | undefined;
  /** Takes up a webhook as the store has it. */
  readonly takeUp: (stored: StoredWebhook) => Hook;
  /** Sets a webhook in place of the one there was, whose progress stays; resolves once it is durable. */
  readonly set: (
    name: string,
    recordAfter: (before: WebhookRecord | undefined) => Promise<WebhookRecord>,
  ) => Promise<{ readonly hook: Hook; readonly isNew: boolean }>;
  /** False if the owner had no such webhook. */
  readonly remove: (name: string) => Promise<boolean>;
  /** Drops what is kept of a job, and with it the webhook that it has alone; where the store does not, the next start does. */
  readonly forget: (hook: Hook, jobId: string) => void;
  /** Ends what is under way. */
  readonly stop: () => Promise<void>;
}

/** Makes the {@link Hooks} over a registry, without any to begin with. */
export const emptyHooks = (context: Omit<DeliveryContext, 'job'>, registry: PublishedJobs): Hooks => {
  const { store, clock } = context;
  const hooks = new Map<string, Hook>();
  const changes = serialQueues();
  const isKnown = (jobId: string): boolean => registry.get(jobId) !== undefined;
  const jobsOf = ({ owner, job }: WebhookRecord): readonly string[] =>
    job === undefined ? registry.ofOwner(owner).map(({ record }) => record.id) : [job.id];

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
    for (const jobId of jobsOf(hook.record)) delivery.wake(jobId);
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
  const remove = (name: string): Promise<boolean> =>
    changes.run(name, async () => {
      const hook = hooks.get(name);
      if (hook === undefined) return false;
      await stopFor(hook, () => store.remove(name));
      hooks.delete(name);
      return true;
    });

  return {
    get: (name) => hooks.get(name),
    takeUp: ({ record, progress: stored }) => {
      const hook: Hook = { record, progress: deliveryProgress(store, record.owner, isKnown, stored) };
      start(hook);
      return hook;
    },
    set: (name, recordAfter) =>
      changes.run(name, async () => {
        const before = hooks.get(name);
        const record = await recordAfter(before?.record);
        await stopFor(before, () => store.put(record));
        const progress = before?.progress ?? deliveryProgress(store, name, isKnown);
        await progress.renew();
        const hook: Hook = { record, progress };
        start(hook);
        return { hook, isNew: before === undefined };
      }),
    remove,
    forget: ({ record, delivery, progress }, jobId) => {
      delivery?.forget(jobId);
      progress.forget(jobId);
      if (record.job !== undefined) void remove(record.owner).catch(() => undefined);
    },
    stop: async () => {
      await changes.settled();
      await Promise.all([...hooks.values()].map(async ({ delivery }) => delivery?.stop()));
    },
  };
};

import { deliver, type Delivery, type DeliveryContext } from './deliver.js';
import type { PublishedJobs } from '../registry/job-registry.js';
import type { KnownWebhook, Webhooks } from '../model/webhooks.js';
import type { StoredWebhook, WebhookProgress, WebhookRecord } from '../ports/webhook-store.js';

interface Hook {
  record: WebhookRecord;
  readonly progress: Map<string, WebhookProgress>;
  delivery: Delivery | undefined;
}

/** Takes up the webhooks that the store knows, and sends what becomes known in the registry from then on. */
export const startWebhooks = async (
  context: Omit<DeliveryContext, 'job'>,
  registry: PublishedJobs,
): Promise<Webhooks> => {
  const { store, clock, sender } = context;
  const hooks = new Map<string, Hook>();
  /** The changes of one owner come one after the other. */
  const changes = new Map<string, Promise<unknown>>();

  const start = (hook: Hook): void => {
    if (hook.record.parked !== undefined) return;
    const delivery = deliver({ ...context, job: registry.get }, hook.record, hook.progress, (reason) => {
      hook.record = { ...hook.record, parked: { at: clock.wall(), reason } };
      // Where it can't be written, it is tried again after a restart.
      void store.put(hook.record).catch(() => undefined);
    });
    hook.delivery = delivery;
    for (const { record } of registry.ofOwner(hook.record.owner)) delivery.wake(record.id);
  };
  const takeUp = ({ record, progress }: StoredWebhook): void => {
    const hook: Hook = { record, progress: new Map(progress), delivery: undefined };
    hooks.set(record.owner, hook);
    start(hook);
    for (const jobId of progress.keys()) if (registry.get(jobId) === undefined) forget(hook, jobId);
  };
  const forget = (hook: Hook, jobId: string): void => {
    hook.delivery?.forget(jobId);
    if (hook.progress.delete(jobId)) void store.forget(hook.record.owner, jobId).catch(() => undefined);
  };
  const inOrder = <A>(owner: string, change: () => Promise<A>): Promise<A> => {
    const done = (changes.get(owner) ?? Promise.resolve()).then(change, change);
    changes.set(owner, done);
    const leave = (): void => {
      if (changes.get(owner) === done) changes.delete(owner);
    };
    done.then(leave, leave);
    return done;
  };

  const news = registry.changes.subscribe({
    next: ({ owner, jobId }) => {
      const hook = hooks.get(owner);
      if (hook === undefined) return;
      if (registry.get(jobId) === undefined) forget(hook, jobId);
      else hook.delivery?.wake(jobId);
    },
    error: () => undefined,
  });
  for (const stored of await store.all()) takeUp(stored);

  const known = ({ record, delivery }: Hook): KnownWebhook => ({
    record,
    lastFailure: record.parked === undefined ? delivery?.lastFailure() : undefined,
  });

  return {
    get: (owner) => {
      const hook = hooks.get(owner);
      return hook === undefined ? undefined : known(hook);
    },
    put: (owner, registration) =>
      inOrder(owner, async () => {
        const before = hooks.get(owner);
        await registry.ready(owner);
        const from = before?.record.from ?? registry.position(owner) ?? '';
        const createdAt = before?.record.createdAt ?? clock.wall();
        const record: WebhookRecord = { ...registration, owner, createdAt, from };
        await before?.delivery?.stop();
        try {
          await store.put(record);
        } catch (error) {
          if (before !== undefined) start(before);
          throw error;
        }
        const progress = new Map(before?.progress);
        for (const [jobId, { position, failingSince }] of progress) {
          if (failingSince === undefined) continue;
          // The day of a message begins anew.
          const next = position === undefined ? {} : { position };
          progress.set(jobId, next);
          await store.progressed(owner, jobId, next).catch(() => undefined);
        }
        const hook: Hook = { record, progress, delivery: undefined };
        hooks.set(owner, hook);
        start(hook);
        return { ...known(hook), isNew: before === undefined };
      }),
    remove: (owner) =>
      inOrder(owner, async () => {
        const hook = hooks.get(owner);
        if (hook === undefined) return false;
        await hook.delivery?.stop();
        try {
          await store.remove(owner);
        } catch (error) {
          start(hook);
          throw error;
        }
        hooks.delete(owner);
        return true;
      }),
    close: async () => {
      news.unsubscribe();
      await Promise.all([...hooks.values()].map(async ({ delivery }) => delivery?.stop()));
      await Promise.allSettled(changes.values());
      await sender.close?.();
      await store.close?.();
    },
  };
};

import type { DeliveryContext } from './delivery-context.js';
import { emptyHooks, type Hook } from './hooks.js';
import { jobWebhookName } from './job-webhook.js';
import type { KnownWebhook, Webhooks } from '../model/webhooks.js';
import type { PublishedJobs } from '../registry/job-registry.js';

/** Takes up the webhooks that the store knows, and sends what becomes known in the registry from then on. */
export const startWebhooks = async (
  context: Omit<DeliveryContext, 'job'>,
  registry: PublishedJobs,
): Promise<Webhooks> => {
  const { store, clock, sender } = context;
  const hooks = emptyHooks(context, registry);
  const isKnown = (jobId: string): boolean => registry.get(jobId) !== undefined;

  const published = registry.changes.subscribe({
    next: ({ owner, jobId }) => {
      for (const hook of [hooks.get(owner), hooks.get(jobWebhookName(owner, jobId))]) {
        if (hook === undefined) continue;
        if (isKnown(jobId)) hook.delivery?.wake(jobId);
        else hooks.forget(hook, jobId);
      }
    },
    error: () => undefined,
  });
  for (const stored of await store.all()) {
    const hook = hooks.takeUp(stored);
    const jobIds = new Set(hook.progress.jobIds());
    if (stored.record.job !== undefined) jobIds.add(stored.record.job.id);
    for (const jobId of jobIds) if (!isKnown(jobId)) hooks.forget(hook, jobId);
  }

  return {
    get: (owner) => {
      const hook = hooks.get(owner);
      return hook && known(hook);
    },
    put: async (owner, registration) => {
      const { hook, isNew } = await hooks.set(owner, async (before) => {
        await registry.ready(owner);
        const from = before?.from ?? registry.position(owner);
        const createdAt = before?.createdAt ?? clock.wall();
        return { ...registration, owner, createdAt, ...(from !== undefined && { from }) };
      });
      return { ...known(hook), isNew };
    },
    putOfJob: async (job, registration) => {
      const owner = jobWebhookName(job.owner, job.id);
      const record = { ...registration, owner, job, createdAt: clock.wall() };
      const { hook } = await hooks.set(owner, () => Promise.resolve(record));
      // The job may have been deleted in the meantime.
      if (!isKnown(job.id)) hooks.forget(hook, job.id);
    },
    remove: (owner) => hooks.remove(owner),
    close: async () => {
      published.unsubscribe();
      await hooks.stop();
      await sender.close?.();
      await store.close?.();
    },
  };
};

const known = ({ record, delivery }: Hook): KnownWebhook => ({
  record,
  lastFailure: record.parked === undefined ? delivery?.lastFailure() : undefined,
});

import type { WebhookProgress, WebhookStore } from '../ports/webhook-store.js';

/** How far the messages of an owner's jobs are. What the store does not take is sent once more after a restart. */
export interface DeliveryProgress {
  /** The position of a job's last event that is done; undefined before the first. */
  readonly position: (jobId: string) => string | undefined;
  /** All events up to a position are done. */
  readonly advance: (jobId: string, position: string) => Promise<void>;
  /** A try of a job's next message has failed; gives when the first one did, in milliseconds since 1970. */
  readonly failed: (jobId: string, at: number) => Promise<number>;
  /** Every message that failed counts as untried: its day begins anew. */
  readonly renew: () => Promise<void>;
  /** Drops what is kept of a job. */
  readonly forget: (jobId: string) => void;
  /** The jobs whose progress is kept. */
  readonly jobIds: () => readonly string[];
}

/** Makes the {@link DeliveryProgress} of an owner from what the store has; nothing is kept of a job that is not known. */
export const deliveryProgress = (
  store: Pick<WebhookStore, 'progressed' | 'forget'>,
  owner: string,
  isKnown: (jobId: string) => boolean,
  stored: Iterable<readonly [string, WebhookProgress]> = [],
): DeliveryProgress => {
  const jobs = new Map(stored);
  const set = async (jobId: string, next: WebhookProgress): Promise<void> => {
    if (!isKnown(jobId)) return;
    jobs.set(jobId, next);
    await store.progressed(owner, jobId, next).catch(() => undefined);
  };

  return {
    position: (jobId) => jobs.get(jobId)?.position,
    advance: (jobId, position) => set(jobId, { position }),
    failed: async (jobId, at) => {
      const known = jobs.get(jobId);
      if (known?.failingSince !== undefined) return known.failingSince;
      await set(jobId, { ...known, failingSince: at });
      return at;
    },
    renew: async () => {
      for (const [jobId, { position, failingSince }] of jobs) {
        if (failingSince !== undefined) await set(jobId, position === undefined ? {} : { position });
      }
    },
    forget: (jobId) => {
      if (jobs.delete(jobId)) void store.forget(owner, jobId).catch(() => undefined);
    },
    jobIds: () => [...jobs.keys()],
  };
};

import type { Clock } from '../../../core/platform/platform.js';
import { inSlices } from '../../../core/platform/in-slices.js';
import type { JobEntry } from '../registry/job-entry.js';
import type { GatewayJobs, JobOwner } from '../model/gateway-jobs.js';
import type { JobRegistry } from '../registry/job-registry.js';
import { pageOf } from './list-jobs.js';
import { serialQueues } from '../../../core/interop/serial-queues.js';
import type { SharedJobs } from '../registry/shared-jobs.js';

/** The jobs of a gateway as their owners see them: that of another owner is unknown. */
export interface OwnedJobs {
  /** A job as this process knows it. */
  readonly known: (owner: JobOwner, id: string) => JobEntry | undefined;
  /** A job as it is now, also where another process submitted or removed it. */
  readonly get: (owner: JobOwner, id: string) => Promise<JobEntry | undefined>;
  readonly list: GatewayJobs['list'];
}

/** Makes the {@link OwnedJobs} of a registry. An owner's lists are made one after the other, so that many searches of one leave time for others. */
export const ownedJobs = (
  registry: JobRegistry,
  shared: SharedJobs,
  clock: Pick<Clock, 'now' | 'after'>,
): OwnedJobs => {
  const lists = serialQueues();
  const known = ({ name }: JobOwner, id: string): JobEntry | undefined => {
    const job = registry.get(id);
    return job?.record.owner === name ? job : undefined;
  };
  return {
    known,
    get: async (owner, id) => {
      await shared.sync(owner.name);
      const job = known(owner, id);
      return job === undefined || (await shared.kept([job])).length === 0 ? undefined : known(owner, id);
    },
    list: async ({ name }, filter, pause) => {
      await shared.sync(name);
      const found = await lists.run(name, async () => {
        // A search counts as a slice of work, however soon it ends.
        if (filter.text !== undefined) await pause?.();
        return inSlices(pageOf(registry.ofOwner(name).toReversed(), filter), clock, pause);
      });
      return found && { jobs: await shared.kept(found.page), ...(found.next && { next: found.next }) };
    },
  };
};

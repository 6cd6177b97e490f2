import { normalise, sameWorkflow } from '../../../core/lost/same-workflow.js';
import type { Clock } from '../../../core/platform/platform.js';
import type { RecentJob } from '../../../core/endpoints/recent-jobs.js';
import { defer, finalize, type Observable, repeat, share } from 'rxjs';
import type { JobIndex, JobRecord } from '../../joblog/job-index.js';
import { timerOn } from '../../../core/platform/timer.js';
import type { Upstream } from '../upstream/upstream.js';

/** What a service showed at one moment. */
export interface Listing {
  /** When the service was asked, in milliseconds since 1970. */
  readonly at: number;
  /** The jobs that belong to no submission of the gateway; undefined if the service did not answer. */
  readonly jobs: readonly RecentJob[] | undefined;
  /** The gateway's jobs whose submission got no answer, by then. */
  readonly unanswered: readonly JobRecord[];
  /** The service's ids of the lost jobs whose answer had come to another process by then, by the gateway's ids. */
  readonly answered: ReadonlyMap<string, string>;
}

/** Looks for all lost jobs of one service at once. */
export interface Poller {
  /**
   * The listings from now on, for this job among others: one at once where no other job is looked for, then one at each interval. Errors
   * where the index does not answer.
   */
  readonly listings: (record: JobRecord) => Observable<Listing>;
}

/** Options of a {@link Poller}: the service that it asks, and how often. */
export interface PollerOptions {
  /** The gateway's name of the service. */
  readonly client: string;
  readonly upstream: Upstream;
  readonly index: JobIndex;
  readonly clock: Clock;
  /** How long to wait between two listings, in milliseconds. */
  readonly everyMs: number;
}

/** Makes a {@link Poller}: as long as one job is looked for, it lists the jobs of the service. */
export const poller = ({ client, upstream, index, clock, everyMs }: PollerOptions): Poller => {
  const lost = new Map<string, JobRecord>();

  const list = async (): Promise<Listing> => {
    const at = clock.wall();
    const workflows = [...lost.values()].map(({ workflow }) => normalise(workflow));
    let unanswered: readonly JobRecord[] = [];
    const answered = new Map<string, string>();
    const { jobsSince = () => Promise.resolve([]) } = upstream;
    const jobs = await jobsSince({
      since: Math.min(...[...lost.values()].map(({ createdAt }) => createdAt)),
      isMeant: (workflow) => workflows.some((own) => sameWorkflow(own, workflow)),
      unclaimed: async (promptIds) => {
        // Both are of one moment: a job whose answer comes next is among the unanswered.
        const records = await index.list(undefined, { limit: Number.MAX_SAFE_INTEGER });
        const ofClient = records.filter((record) => record.client === client);
        unanswered = ofClient.filter(({ promptId }) => promptId === undefined);
        for (const { id, promptId } of ofClient)
          if (promptId !== undefined && lost.has(id)) answered.set(id, promptId);
        const claimed = new Set(ofClient.map(({ promptId }) => promptId));
        return promptIds.filter((promptId) => !claimed.has(promptId));
      },
    });
    return { at, jobs, unanswered, answered };
  };
  const listings = defer(list).pipe(
    repeat({ delay: () => timerOn(clock, everyMs, { background: true }) }),
    share(),
  );

  return {
    listings: (record) =>
      defer(() => {
        lost.set(record.id, record);
        return listings.pipe(finalize(() => lost.delete(record.id)));
      }),
  };
};

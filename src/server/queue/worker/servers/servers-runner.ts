import type { Clock } from '../../../../core/platform/platform.js';
import type { JobStore } from '../../store/job-store.js';
import type { PlacedJob, ServerStore } from '../../servers/server-store.js';
import type { Placement } from '../../../../client/pool/placement.js';
import type { QueueNotifications } from '../../follow/notifications.js';
import type { ReachedServers } from './reached-servers.js';
import type { RunTimes } from '../../../../client/pool/run-times.js';
import type { ServerRules } from '../../policy/rules.js';
import type { TellThrown } from '../tell-thrown.js';

/** The parts and the bounds of a worker over servers. */
export interface ServersRunnerOptions {
  readonly worker: string;
  readonly lockMs: number;
  /** How many jobs it runs at once; default as many as its servers have slots. */
  readonly concurrency?: number | undefined;
  readonly store: Pick<JobStore, 'workflow'>;
  readonly servers: ServerStore;
  readonly reached: ReachedServers;
  readonly notifications: Pick<QueueNotifications, 'changed' | 'resumed' | 'missed'>;
  readonly rules: ServerRules;
  readonly placement: Placement;
  readonly times: RunTimes;
  readonly clock: Clock;
  readonly tellThrown: TellThrown;
  /** Runs a job to its end, or until `lost` fires as another worker has it, and leaves it; `reason` is why no server can run it. */
  readonly run: (job: PlacedJob, lost: AbortSignal, reason?: string) => Promise<void>;
}

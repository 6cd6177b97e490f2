import { defer, EMPTY, Subject, throwError } from 'rxjs';
import type { GatewayQueue } from '../../src/server/gateway/services/gateway-queue.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobProgress, LifecycleEvent } from '../../src/core/events/job-log-event.js';
import { memoryEventLog } from '../../src/server/gateway/store/memory-event-log.js';
import { progressOf, statusOf } from '../../src/core/events/state-members.js';
import type { JobState } from '../../src/core/state/job-state.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';

type Refusal = ServiceError | undefined;

/** A queue in memory that supplies the events of its jobs, and how its workers write them. */
export const suppliedQueue = () => {
  const log = memoryEventLog();
  const changes = new Subject<string>();
  const progress = new Subject<{ readonly jobId: string; readonly progress: JobProgress }>();
  const owners = new Map<string, string>();
  const latest = new Map<string, JobProgress>();
  const calls: string[] = [];
  /** What calls fail with; `late` is what an addition fails with whose job the queue has. */
  const failing = {
    ...{ add: undefined as Refusal, late: undefined as Refusal, cancel: undefined as Refusal },
    isEmptied: false,
    /** Jobs of which the queue has a log and nothing else. */
    forgotten: new Set<string>(),
  };
  const write = async (id: string, ...events: readonly LifecycleEvent[]): Promise<readonly string[]> => {
    const owner = owners.get(id) ?? '';
    const ids = await log.append(owner, id, events);
    changes.next(owner);
    return ids;
  };
  const queue: Required<
    Omit<
      GatewayQueue,
      | 'socketImage'
      | 'over'
      | 'upload'
      | 'viewUpload'
      | 'serverOf'
      | 'servers'
      | 'pauseServer'
      | 'resumeServer'
      | 'drainServer'
    >
  > = {
    add: async (workflow, { id, tenant }) => {
      calls.push(`add ${tenant}`);
      if (failing.add !== undefined) return Promise.reject(failing.add);
      owners.set(id, tenant);
      await write(id, { type: 'submitted', at: 1, state: initialJobState({ workflow }) });
      if (failing.late !== undefined) return Promise.reject(failing.late);
      return id;
    },
    follow: (id) =>
      defer(() => {
        calls.push(`follow ${id}`);
        return throwError(() => serviceError('NotFound', {}));
      }),
    previews: () => EMPTY,
    cancel: async (id) => {
      calls.push(`cancel ${id}`);
      if (failing.cancel !== undefined) return Promise.reject(failing.cancel);
      await write(id, { type: 'cancelRequested', at: 2 });
    },
    stats: () => Promise.resolve({}),
    log: {
      ...log,
      read: (...args) => (failing.isEmptied ? Promise.resolve({ events: [], gap: true }) : log.read(...args)),
      changes,
      progress,
      latestProgress: (id) => Promise.resolve(latest.get(id)),
      hasJob: (id) => Promise.resolve(!failing.forgotten.has(id)),
    },
  };
  return {
    ...{ queue, calls, failing, latest, write, progress },
    /** A worker writes a status of a job. */
    status: (id: string, phase: JobState['phase'], at = 5) => {
      const state = initialJobState({ workflow: {}, promptId: `service-${id}`, phase });
      return write(id, { type: 'status', at, status: statusOf(state), progress: progressOf(state) });
    },
  };
};

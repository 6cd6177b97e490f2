import type { QueueJob, QueueJobPhase } from './queue-job.js';
import type { QueuePhase, QueueRecord } from '../store/job-store.js';
import type { TerminalPhase } from '../../../core/state/job-state.js';

/** A job as a queue's callers see it: one that a worker holds runs, and one that is over has the phase that it ended in. */
export const shownJob = ({
  id,
  tenant,
  phase,
  outcome,
  priority,
  createdAt,
  ...record
}: QueueRecord): QueueJob => {
  const { key, endedAt, reason, worker, promptId, server, reruns } = record;
  const progress = phase === 'held' ? record.progress : undefined;
  const where = phaseOf(phase, outcome);
  return {
    ...{ id, tenant, phase: where, priority, key, createdAt, endedAt, reason, worker, promptId, progress },
    ...(server !== undefined && { server }),
    ...(reruns !== undefined && { attempt: reruns + 1 }),
  };
};

/** Where a job is, by the phase and the outcome of its record. */
export const phaseOf = (phase: QueuePhase, outcome: TerminalPhase = 'failed'): QueueJobPhase =>
  phase === 'held' ? 'running' : phase === 'ended' ? outcome : phase;

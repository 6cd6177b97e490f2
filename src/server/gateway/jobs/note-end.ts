import { endOf } from '../registry/job-projection.js';
import type { JobEntry } from '../registry/job-entry.js';
import type { SubmissionContext } from './submission-context.js';
import type { TerminalPhase } from '../../../core/state/job-state.js';

/** Writes the end of a job into the index, if only the log has it. */
export const noteEnd = async (
  {
    index,
    registry,
    clock,
    retentionMs,
  }: Pick<SubmissionContext, 'index' | 'registry' | 'clock' | 'retentionMs'>,
  { record, endedAt }: Pick<JobEntry, 'record' | 'endedAt'>,
  phase: TerminalPhase,
): Promise<void> => {
  const change = endOf(phase, endedAt ?? clock.wall(), retentionMs);
  await index.update(record.id, change);
  registry.setRecord({ ...record, ...change });
};

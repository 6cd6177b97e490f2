import { isTerminal } from '../../state/job-state.js';
import type { JobRecord } from '../ports/job-index.js';
import type { JobState } from 'promptwire';
import { type SubmissionContext, unknownState } from './submission.js';
import { unknownFailure } from '../../state/failure.js';

/**
 * Takes up every job that the index knows, after a start: those that have not ended are followed again, and none is submitted again.
 *
 * A job whose answer never came is looked for by the id of its submission where the service makes that the job's id; elsewhere it
 * becomes `unknown`.
 */
export const recoverJobs = async (context: SubmissionContext): Promise<void> => {
  const { index, board } = context;
  const records = await index.list(undefined, { limit: Number.MAX_SAFE_INTEGER });
  // The list begins with the newest.
  for (const record of records.toReversed()) {
    const job = await board.load(record);
    if (isTerminal(job.state.phase)) {
      if (record.ended === undefined) await noteEnd(context, record, job.state);
    } else if (context.upstreams[record.client] !== undefined) await takeUp(context, record);
  }
};

/** The log had the end, and the index did not hear of it. */
const noteEnd = async (
  { index, board, clock, retentionMs }: SubmissionContext,
  record: JobRecord,
  { phase }: JobState,
): Promise<void> => {
  if (!isTerminal(phase)) return;
  const at = board.get(record.id)?.endedAt ?? clock.wall();
  const change = { ended: { phase, at }, expiresAt: at + retentionMs };
  await index.update(record.id, change);
  board.changed({ ...record, ...change });
};

const takeUp = async (context: SubmissionContext, record: JobRecord): Promise<void> => {
  const { index, board, following, upstreams } = context;
  const upstream = upstreams[record.client];
  if (upstream === undefined) return;
  const { id, submissionId } = record;
  if (record.promptId === undefined && upstream.submissionIds !== 'jobs') {
    const known = board.latest(id);
    board.moved(id, { ...(known ?? unknownState(record, lostAnswer)), ...lostOf(record) });
    return;
  }
  const promptId = record.promptId ?? submissionId;
  if (record.promptId === undefined) {
    await index.update(id, { promptId });
    board.changed({ ...record, promptId });
  }
  const wasSubmitted = record.promptId !== undefined;
  following.follow(
    id,
    upstream.job(promptId),
    () => upstream.job(promptId),
    (state) =>
      wasSubmitted
        ? { ...state, phase: 'untraceable' }
        : { ...state, phase: 'failed', failure: unknownFailure(neverArrived) },
  );
};

const lostOf = (record: JobRecord): Pick<JobState, 'phase' | 'failure'> => {
  const { phase, failure } = unknownState(record, { ...lostAnswer, startedAt: record.createdAt });
  return failure === undefined ? { phase } : { phase, failure };
};

const lostAnswer = {
  message: 'The gateway stopped before the answer to the submission came, so the service may have the job.',
};

const neverArrived =
  'The gateway stopped before the answer to the submission came, and the service knows no such job.';

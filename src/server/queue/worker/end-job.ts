import { endedAs } from '../../../core/state/ended-as.js';
import type { JobFailure } from '../../../core/state/failure.js';
import { publish } from '../telemetry/channels.js';
import { type LeftJob, type RunningJob, shortestWaitMs } from './run-context.js';
import type { TerminalPhase } from '../../../core/state/job-state.js';
import type { TokenEnd } from '../engine/run-tokens.js';
import { unknownFailure } from '../../../core/state/failure.js';

/** Leaves a job whose log has its end. A slot token whose job another worker holds goes back, since that worker may have no slot token. */
export const leaveEnded = async (
  { held, context: { queue, worker, store, logger } }: LeftJob,
  outcome: TerminalPhase,
  reason?: string,
  promptId = held.record.promptId,
): Promise<TokenEnd> => {
  if (!(await store.leave(held, 'ended', reason ?? outcome, outcome))) return 'requeue';
  const about = { queue, jobId: held.id, tenant: held.job.tenant, worker, promptId, phase: outcome, reason };
  publish('promptwire:queue:end', () => about, logger);
  return 'done';
};

/** Writes the end of a job that the service does not have, and leaves it. */
export const endJob = async (job: LeftJob, phase: TerminalPhase, failure?: JobFailure): Promise<TokenEnd> => {
  const isKept = await job.own.move(endedAs(job.own.state(), phase, failure));
  return isKept ? leaveEnded(job, phase, failure?.exceptionMessage) : 'requeue';
};

/** Leaves a job to a person: whether the service has it can't be found out. */
export const leaveUnknown = async (
  { held, context: { queue, worker, store, logger }, own }: RunningJob,
  reason: string,
  candidates: readonly string[],
): Promise<TokenEnd> => {
  const about = { queue, jobId: held.id, tenant: held.job.tenant, worker, reason, candidates };
  publish('promptwire:queue:unknown', () => about, logger);
  const failure: JobFailure = { ...unknownFailure(reason), candidates };
  const isKept = await own.move(endedAs(own.state(), 'unknown', failure));
  return isKept && (await store.leave(held, 'unknown', reason, 'unknown')) ? 'done' : 'requeue';
};

/** Gives the slot token back, and not at once to this worker again. */
export const giveBack = async ({ context: { pause } }: RunningJob): Promise<TokenEnd> => {
  await pause(shortestWaitMs);
  return 'requeue';
};

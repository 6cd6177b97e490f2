import type { JobState } from '../node.js';
import type { ExitName } from './exit-code.js';

/** Tells which kind of end a job's last state is; failures of the plan and of validation have their own kinds. */
export const exitOfJob = (state: Pick<JobState, 'phase' | 'failure' | 'outputsComplete'>): ExitName => {
  switch (state.phase) {
    case 'completed':
      return state.outputsComplete ? 'done' : 'incomplete';
    case 'cancelled':
    case 'untraceable':
      return state.phase;
    case 'unknown':
      return 'outcomeUnknown';
    case 'failed':
      return byException.get(state.failure?.exceptionType ?? '') ?? 'failed';
    default:
      return 'unexpected';
  }
};

const byException: ReadonlyMap<string, ExitName> = new Map([
  ['ValidationError', 'invalidWorkflow'],
  ['InsufficientFundsError', 'billing'],
  ['InactiveSubscriptionError', 'billing'],
]);

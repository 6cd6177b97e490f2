import type { JobPhase } from './job-state.js';

/** The interface's five states of a job. */
export type StatusPhase = Extract<JobPhase, 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled'>;

/**
 * Reads the service's word for a job's status as one of the interface's five states.
 *
 * Only a final word gives a final state. A word for a job on its way to an end (`erroring`, `cancel_requested`, …) keeps
 * the state that the job was in, and so does a word that this version does not know: such a job is in flight
 * (docs/protocol.md, chapter 4).
 *
 * @param word as on the wire: one of the five states, or the service's internal word
 * @param previous the state before; `pending` is assumed without one
 */
export const phaseOfStatus = (word: unknown, previous?: JobPhase): StatusPhase => {
  const known = typeof word === 'string' ? phaseOf(word.toLowerCase()) : undefined;
  if (known !== undefined) return known;
  if (previous === 'pending' || previous === 'in_progress') return previous;
  return word === 'executed' ? 'in_progress' : 'pending';
};

const words: Readonly<Record<StatusPhase, readonly string[]>> = {
  pending: [
    'submitted',
    'queued_limited',
    'queued_waiting',
    'allocated',
    'preparing',
    'pending_execution',
    'waiting_to_dispatch',
    'pending',
    'queued',
  ],
  in_progress: ['executing', 'in_progress', 'running'],
  completed: ['success', 'completed'],
  failed: ['error', 'non_retryable_error', 'lost', 'failed'],
  cancelled: ['cancelled', 'canceled'],
};

const phaseOf = (word: string): StatusPhase | undefined =>
  (Object.keys(words) as StatusPhase[]).find((phase) => words[phase].includes(word));

import type { InterfaceRow, Switches } from '../options.js';
import type { Job, RawWord } from './job.js';

/** The word that the status endpoint answers; a state that is switched off is told as another word. */
export const statusWord = (
  job: Job,
  { statusWords }: Switches,
  has: (row: InterfaceRow) => boolean,
): string => {
  const state = stateOf(job.word);
  if (!has(`state:${state}`)) return 'withheld';
  return statusWords === 'five' ? state : job.word;
};

/** The interface's five states; words that are still moving count as the state that they move away from. */
export const stateOf = (word: RawWord): 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled' => {
  switch (word) {
    case 'submitted':
    case 'queued_limited':
    case 'queued_waiting':
    case 'allocated':
    case 'preparing':
    case 'pending_execution':
    case 'cancel_pending':
      return 'pending';
    case 'executing':
    case 'executed':
    case 'erroring':
    case 'cancel_requested':
      return 'in_progress';
    case 'success':
      return 'completed';
    case 'error':
    case 'lost':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
  }
};

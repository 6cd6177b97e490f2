import type { JobPhase } from '../index.js';

// Numbers, times and phases as the texts of the studio name them.

export const count = (many: number, one: string, several = `${one}s`): string =>
  `${many} ${many === 1 ? one : several}`;

/** `20 s`, `3 min`. */
export const duration = (ms: number): string => {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
};

/** `340 ms`, `2.41 s`. */
export const precise = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;

export const phases: Readonly<Record<JobPhase, string>> = {
  submitting: 'Sending the workflow …',
  pending: 'Waiting for its turn',
  in_progress: 'Running',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  untraceable: 'The service has forgotten this job',
  unknown: 'Perhaps submitted: the answer was lost',
};

export const hints: Readonly<Record<string, string>> = {
  OutOfMemoryError: 'Make the picture smaller, or run fewer of them at once.',
  ValidationError: 'Look at the marked inputs, change them, and run again.',
};

import { firstValueFrom, type Observable } from 'rxjs';
import type { JobState } from '../../../core/state/job-state.js';
import { serviceError } from '../../../core/errors/service-error.js';

/** The state of a job as it is followed first. */
export const firstState = async (states: Observable<JobState>): Promise<JobState> => {
  const state = await firstValueFrom(states, { defaultValue: undefined });
  if (state === undefined) throw serviceError('Closed', { message: 'The client was closed.' });
  return state;
};

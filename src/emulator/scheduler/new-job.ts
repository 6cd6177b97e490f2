import type { Job, Submission } from './job.js';

/** A job that was accepted just now at `place`: its id, its number and whatever else a dialect gives it. */
export const newJob = <Place extends Pick<Job, 'id' | 'number'>>(
  submission: Submission,
  place: Place,
  now: number,
): Job & Place => ({
  ...submission,
  ...place,
  createdAt: now,
  word: 'submitted',
  updatedAt: now,
  startedAt: undefined,
  endedAt: undefined,
  failure: undefined,
  outputs: new Map(),
  messages: [],
  abort: new AbortController(),
});

import type { Job } from '../../scheduler/job.js';

/** One submission to the local server. */
export interface LocalJob extends Job {
  /** The number as it is told: a whole one, or a float where the client gave it. */
  readonly shownNumber: unknown;
  /** Whose socket hears of it; `undefined` and `null`: nobody's in particular. */
  readonly clientId: unknown;
}

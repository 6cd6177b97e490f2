import type { Random } from '../random.js';
import type { Fault } from '../schedule.js';
import type { SimJob } from '../sim-jobs.js';
import type { Backend } from '../backend.js';

/** A fault at the moment at which it strikes. */
export interface Strike {
  readonly backend: Backend;
  readonly fault: Fault;
  /** Random numbers of this fault alone. */
  readonly random: Random;
  /** To be called when the fault takes effect. */
  readonly hit: () => void;
  /** Gives the fault's job, or where that is over another one that runs, or the next one that the service accepts. */
  readonly victim: (work: (job: SimJob) => void) => void;
}

/** What a kind of fault does. */
export type Effect = (strike: Strike) => void;

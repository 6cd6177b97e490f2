import { BehaviorSubject } from 'rxjs';
import type { Job } from '../jobs/job-handle.js';
import type { PooledServer } from './pool-server.js';
import type { PoolStartOptions } from './start-options.js';
import { type Work, workOf } from './work.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** One job of a pool, from its waiting to its end, over all its submissions. */
export interface JobLife {
  readonly workflow: Workflow;
  readonly work: Work;
  readonly options: PoolStartOptions;
  /** Its place among all jobs of the pool. */
  readonly number: number;
  /** Its job on the server that accepted it last. */
  readonly accepted: BehaviorSubject<{ readonly job: Job; readonly server: PooledServer } | undefined>;
  /** Whether a server holds it; before, nothing was sent. */
  readonly isGiven: BehaviorSubject<boolean>;
  /** Whether it is known that it has to wait: for its turn, or for servers that are unreachable. */
  readonly isWaiting: BehaviorSubject<boolean>;
  /** Whether the program asked for its end: it is not submitted any more then. */
  readonly isCancelled: BehaviorSubject<boolean>;
}

/** Makes the life of a job that has not begun, of a workflow that nobody changes. */
export const jobLife = (workflow: Workflow, options: PoolStartOptions, number: number): JobLife => ({
  workflow,
  options,
  number,
  work: workOf(workflow, options.targets),
  accepted: new BehaviorSubject<{ readonly job: Job; readonly server: PooledServer } | undefined>(undefined),
  isGiven: new BehaviorSubject(false),
  isWaiting: new BehaviorSubject(false),
  isCancelled: new BehaviorSubject(false),
});

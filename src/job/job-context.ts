import type { Observable, Subject } from 'rxjs';
import type { Dialect } from '../protocol/dialect.js';
import type { Rest } from '../http/rest.js';
import type { FrameSource } from '../socket/frames.js';
import type { Platform } from '../socket/platform.js';
import type { KnownJobs } from './known-jobs.js';

/** What submitting and following jobs need of their client. */
export interface JobContext {
  readonly platform: Platform;
  readonly rest: Rest;
  readonly source: FrameSource;
  readonly dialect: Dialect;
  /** Whose turn it is to ask REST about a job: shared by all jobs of the client. */
  readonly budget: Observable<void>;
  /** Jobs that REST knew lately, whoever asked. */
  readonly known: KnownJobs;
  /** Ids of jobs whose cancellation the service has just taken. */
  readonly cancelled: Subject<string>;
}

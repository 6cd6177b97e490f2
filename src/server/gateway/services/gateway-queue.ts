import type { ImagePlace, JobImage } from '../../joblog/job-images.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { Observable } from 'rxjs';
import type { Preview } from '../../../core/protocol/frames/frame.js';
import type { QueueLog } from '../../joblog/queue-log.js';
import type { RemoteServer } from '../../../core/events/remote-server.js';
import type { UploadedFile } from '../../../core/protocol/file-ref.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** The members of a queue that a gateway calls; `createJobQueue` of `promptwire/queue` makes one. */
export interface GatewayQueue {
  /** Adds a job with this id, once however often it is called, and gives its id. */
  readonly add: (
    workflow: Workflow,
    options: {
      readonly id: string;
      readonly tenant: string;
      readonly extraData?: Readonly<Record<string, unknown>> | undefined;
    },
  ) => Promise<string>;
  /** Follows a job to its end; errors with `NotFound` for one that the queue does not know. */
  readonly follow: (id: string) => Observable<JobState>;
  /** The previews of a job from now on, to its end. */
  readonly previews: (id: string) => Observable<Preview>;
  /** A picture that a job sent over the socket; absent, such pictures have no bytes. */
  readonly socketImage?: (id: string, place: ImagePlace) => Promise<JobImage | undefined>;
  /** Asks for the end of a job. */
  readonly cancel: (id: string) => Promise<unknown>;
  /** The queue's log, which the gateway reads. Absent, the gateway follows each job and keeps a log of its own. */
  readonly log?: QueueLog;
  /** What its jobs run on; over servers the queue has `upload` and `viewUpload`. Absent, its jobs run on an account. */
  readonly over?: () => Promise<'account' | 'servers'>;
  /** Over servers: keeps an input file of jobs, and gives what a workflow calls it. */
  readonly upload?: (source: { readonly content: Blob; readonly filename: string }) => Promise<UploadedFile>;
  /** Over servers: reads such a file by its name. */
  readonly viewUpload?: (name: string) => Promise<Blob>;
  /** In a queue over servers, the server that has a job; undefined before it has one. */
  readonly serverOf?: (id: string) => Promise<string | undefined>;
  /** Over servers: what is known of each, now and after each change. Errors with `NotSupported` over an account. */
  readonly servers?: Observable<readonly RemoteServer[]>;
  /** Gives a server no further jobs. */
  readonly pauseServer?: (name: string) => Promise<unknown>;
  /** Gives it jobs again. */
  readonly resumeServer?: (name: string) => Promise<unknown>;
  /** Gives it no further jobs, and resolves once those that it has are over. */
  readonly drainServer?: (name: string) => Promise<unknown>;
  /** Resolves where the queue can be reached; `damaged` is how many of its records could not be read, and `refused` says that it takes no jobs now. */
  readonly stats: () => Promise<{
    readonly damaged?: number;
    readonly refused?: string | undefined;
  }>;
}

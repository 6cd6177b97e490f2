import type { Call } from '../../core/interop/call.js';
import type { Frame, Preview } from '../../core/protocol/frames/frame.js';
import type { JobState } from '../../core/state/job-state.js';
import type { Observable } from 'rxjs';
import type { ServiceError } from '../../core/errors/errors.js';
import { toPromise } from '../../core/interop/to-promise.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** A source of jobs by their ids: a client of `promptwire` or of `promptwire/promises`, or a remote. */
export interface JobSource {
  /** The states of a job, up to its end. */
  readonly follow: (id: string) => Observable<JobState>;
  /** Asks for the end of a job. */
  readonly cancel: (id: string) => Promise<unknown> | Call<unknown>;
}

/** One job that has been submitted: a `Job` of `promptwire` or of `promptwire/promises`. */
export interface JobHandle {
  /** The id of the job. */
  readonly promptId: string;
  /** The states of the job, up to its end. */
  readonly states: Observable<JobState>;
  /** The job's frames. */
  readonly frames: Observable<Frame>;
  /** Asks for the end of the job. */
  readonly cancel: () => Promise<unknown> | Call<unknown>;
}

/** A source that submits jobs: a client of `promptwire` or of `promptwire/promises`, or a remote. */
export interface RunSource extends JobSource {
  /** Submits a workflow and follows its job; each subscription is one submission. */
  readonly run: (workflow: Workflow) => Observable<JobState>;
}

/** A source of previews: a remote, or the frames of a client. */
export type PreviewSource = JobSource &
  (
    | {
        /** The pictures of a job while it runs. */
        readonly previews: (id: string) => Observable<Preview>;
      }
    | {
        /** All frames, of all jobs. */
        readonly frames: Observable<Frame>;
      }
  );

/** The result of a call as a promise: a `Call` begins only when it is run. */
export const answered = (asked: Promise<unknown> | Call<unknown>): Promise<unknown> =>
  typeof asked === 'function' ? toPromise(asked) : asked;

/** Cancels, and resolves with whether the request was taken. The `error` of the view says why it was not. */
export const cancelled = async (
  cancel: () => Promise<unknown>,
  set: (change: { readonly error: ServiceError | undefined }) => void,
): Promise<boolean> => {
  set({ error: undefined });
  try {
    return (await cancel()) !== false;
  } catch (error) {
    set({ error: error as ServiceError });
    return false;
  }
};

/** The id of the job that is asked for: a job has its own. */
export const idOf = (source: object | JobHandle | undefined, id: string | undefined): string | undefined =>
  source !== undefined && 'states' in source ? source.promptId : id;

import type { ConfirmationContext } from './confirm-end.js';
import type { FrameSource } from '../../core/socket/frame-source.js';
import type { ImageBound } from './image-bound.js';
import type { ReconcileContext } from './reconcile.js';
import type { ScheduleContext } from './poll-schedule.js';

/** What all jobs of a client share; `Job` is what each of them is. */
export interface TrackerContext<Job> extends ReconcileContext, ScheduleContext, ConfirmationContext {
  readonly platform: ReconcileContext['platform'] & ScheduleContext['platform'];
  readonly rest: ReconcileContext['rest'];
  readonly limiter: ReconcileContext['limiter'];
  readonly source: Pick<FrameSource, 'openedAt' | 'states'>;
  /** Called where REST has a job whose `checkSocket` was called. */
  readonly jobIsThere: () => void;
  /** Whether the service had such a job when this client cancelled it. */
  readonly wasCancelled: (promptId: string) => boolean;
  /** Called once the end of a job is known. */
  readonly endIsKnown: (promptId: string) => void;
  /** Called where REST was ahead of the open socket. */
  readonly restWasAhead: () => void;
  /** Bounds the pictures that the states of all jobs hold. */
  readonly images: ImageBound;
  /** Called when a job is followed no more. */
  readonly left: (job: Job) => void;
}

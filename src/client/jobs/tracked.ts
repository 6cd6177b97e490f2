import type { Frame } from '../../core/protocol/frames/frame.js';
import type { JobState } from '../../core/state/job-state.js';
import type { Observable } from 'rxjs';
import type { SocketMark } from './deaf-socket.js';

/** No socket of this client has this id, so a job bound to it is followed by polling. */
export const foreignSocket = '';

/** The job to follow and what is known of it. */
export interface Tracked {
  readonly initial: JobState;
  /** Whether the service has known the job before. */
  readonly wasSeen: boolean;
  /** Emits nothing until a source reports where the job stands; default: the initial state, at once. */
  readonly awaitingFirstReport?: boolean;
  /** The early frames of the job; read once, in the turn in which the stream is subscribed to. */
  readonly claim?: (() => readonly Frame[]) | undefined;
  /** The id of the socket that the job's events go to, where they go to one only (local dialect). */
  readonly boundTo?: string | undefined;
  /** The id of the socket that was open when it was submitted. */
  readonly submittedOn?: string | undefined;
  /** What the open socket had brought when the submission left. */
  readonly mark?: SocketMark | undefined;
  /** Takes each state of the job, the initial one first. */
  readonly onState?: ((state: JobState) => void) | undefined;
  /** What becomes of a state before it is passed on; it emits one. */
  readonly beforeState?: ((state: JobState) => Observable<JobState>) | undefined;
  /** Takes each frame of the job before the fold does. */
  readonly onFrame?: ((frame: Frame) => void) | undefined;
}

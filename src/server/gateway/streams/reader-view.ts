import type { JobEntry } from '../registry/job-entry.js';
import type { CurrentState } from './current-state.js';
import type { LoggedEvent, LogScope } from '../../joblog/event-log.js';
import type { ResumeToken } from './resume-token.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { StreamContext } from './stream-context.js';
import type { StreamForm, StreamStart } from '../model/gateway-jobs.js';

/** What the parts of one reader share. */
export interface ReaderContext extends StreamContext {
  readonly scope: LogScope;
  readonly form: StreamForm;
  /** Readers with this name and the same position get the same bytes. */
  readonly name: string;
  readonly current: CurrentState;
  /** The jobs of the scope that are in the registry, the oldest first. */
  readonly jobs: () => readonly JobEntry[];
}

/** Where a reader is after it got some frames. */
export interface Placed {
  readonly frames: readonly Uint8Array[];
  readonly at: ResumeToken;
  /** The reader has the last event of its job. */
  readonly isOver: boolean;
}

/** One event of a stream as bytes, and where a reader is that has it. */
export interface Frame {
  readonly bytes: Uint8Array;
  readonly at: ResumeToken;
}

/** The gateway's own stream or that of API v2: what a reader gets, by where it is. */
export interface ReaderView {
  /** What a stream begins with. */
  readonly open: (start: StreamStart) => Promise<Placed>;
  /** What a reader gets whose next events are gone from the log: a gap, and the current states. */
  readonly resync: () => Promise<Placed>;
  /** What an event of the log is to a reader right before it. */
  readonly frames: (job: JobEntry, logged: LoggedEvent, at: ResumeToken) => readonly Frame[];
  /** What ends a stream that is not over. */
  readonly closingFrames: (at: ResumeToken) => readonly Uint8Array[];
  /** What ends a stream whose reader may not go on. */
  readonly revokedFrames: (at: ResumeToken) => readonly Uint8Array[];
}

/** Notes that progress and previews of every job that goes on may be new to the reader. */
export const markAllChanged = ({ jobs, current }: Pick<ReaderContext, 'jobs' | 'current'>): void => {
  for (const { record, state } of jobs()) if (!isTerminal(state.phase)) current.markChanged(record.id);
};

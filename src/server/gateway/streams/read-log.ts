import { isTerminal } from '../../../core/state/job-state.js';
import type { LoggedEvent } from '../../joblog/event-log.js';
import type { Placed, ReaderContext, ReaderView } from './reader-view.js';
import { type ResumeToken, tokenBehind } from './resume-token.js';

/** What the log had for a reader. */
export interface LogFrames extends Placed {
  /** Of all frames, in bytes. */
  readonly size: number;
  /** False if there was no room for all of it. */
  readonly hasAll: boolean;
}

/** How many events are read at once. */
const pageSize = 200;

/** Reads on in the log from where a reader is: about `maxBytes`, but one event at least where there is one. */
export const readLog = async (
  context: ReaderContext,
  view: ReaderView,
  from: ResumeToken,
  maxBytes: number,
): Promise<LogFrames> => {
  const { log, registry, scope, jobs } = context;
  const frames: Uint8Array[] = [];
  let size = 0;
  let at = from;
  const found = (isOver: boolean, hasAll = true): LogFrames => ({ frames, size, at, isOver, hasAll });
  /** Puts an event; false if there is no room for all of it. */
  const put = (logged: LoggedEvent): boolean => {
    const job = registry.get(logged.jobId);
    for (const frame of job === undefined ? [] : view.frames(job, logged, at)) {
      if (size > 0 && size + frame.bytes.length > maxBytes) return false;
      frames.push(frame.bytes);
      size += frame.bytes.length;
      at = frame.at;
    }
    at = tokenBehind(at, logged.id);
    return true;
  };

  for (;;) {
    // Taken before the read: what happens during the read comes with the next one.
    const { position, hasEnded } = published(context);
    // Where only progress and previews are new, the log has nothing to say.
    if (at.position !== undefined && at.position === position) return found(hasEnded);
    const page = await log.read(scope, at.position, pageSize);
    if (page.gap) {
      if (scope.jobId !== undefined && jobs().length === 0) return found(true);
      const fresh = await view.resync();
      for (const { length } of fresh.frames) size += length;
      return { ...fresh, size, hasAll: true, frames: [...frames, ...fresh.frames] };
    }
    const events = publishedTo(position, page.events);
    for (const logged of events) {
      if (!put(logged)) return found(false, false);
      if (scope.jobId !== undefined && isEnd(logged)) return found(true);
    }
    // The last event of its job is behind the reader, or was in the snapshot.
    if (events.length < pageSize) return found(hasEnded);
  }
};

/** The position up to which the log is published, and whether the job has ended there. */
export const published = ({
  registry,
  scope: { owner, jobId },
  jobs,
}: Pick<ReaderContext, 'registry' | 'scope' | 'jobs'>): {
  readonly position: string | undefined;
  readonly hasEnded: boolean;
} => {
  if (jobId === undefined) return { position: registry.position(owner), hasEnded: false };
  const [job] = jobs();
  return { position: job?.position, hasEnded: job === undefined || isTerminal(job.state.phase) };
};

const isEnd = ({ event }: LoggedEvent): boolean => event.type === 'status' && isTerminal(event.status.phase);

/** A log may give events that it does not keep for good yet, and whose state the registry has not: these come later. */
const publishedTo = (last: string | undefined, events: readonly LoggedEvent[]): readonly LoggedEvent[] => {
  const count = events.findIndex(({ id }) => id === last) + 1;
  return count === 0 && events.length === pageSize ? events : events.slice(0, count);
};

import { BehaviorSubject } from 'rxjs';
import { currentState } from './current-state.js';
import type { LogScope } from '../../joblog/event-log.js';
import { nativeReader } from './native-reader.js';
import { published, readLog } from './read-log.js';
import { positionText } from './resume-token.js';
import type { ReaderContext } from './reader-view.js';
import type { StreamContext } from './stream-context.js';
import type { StreamForm, StreamStart } from '../model/gateway-jobs.js';
import { v2Reader } from './v2-reader.js';

/** A reader's cursor in the log of an owner, and what it has to get besides. */
export interface StreamReader {
  /** Something about this job is new. */
  readonly markChanged: (jobId: string) => void;
  /** The next frames, encoded: about `maxBytes` of it, but one event at least where there is one. One call at a time. */
  readonly next: (maxBytes: number) => Promise<NextFrames>;
  /** The same, if no read of the log is needed for it; otherwise undefined. */
  readonly known: (maxBytes: number) => NextFrames | undefined;
  /** Whether the reader has everything that is published. */
  readonly hasAll: () => boolean;
  /** What ends a stream that is not over. */
  readonly closingFrames: () => readonly Uint8Array[];
  /** What ends a stream whose reader may not go on. */
  readonly revokedFrames: () => readonly Uint8Array[];
}

/** What a reader gets. */
export interface NextFrames {
  readonly frames: readonly Uint8Array[];
  /** The stream is over. */
  readonly isOver: boolean;
  /** When to read again without a change. */
  readonly againInMs?: number;
}

/** Puts a reader at the start of its stream. */
export const streamReader = async (
  context: StreamContext,
  scope: LogScope,
  form: StreamForm,
  start: StreamStart,
): Promise<StreamReader> => {
  const { registry } = context;
  const name = `${scope.jobId === undefined ? 'jobs' : 'job'} ${form.format} ${form.view} ${form.base}`;
  const current = currentState(context, form, name);
  const readerContext: ReaderContext = {
    ...{ ...context, scope, form, name, current },
    jobs: () => {
      if (scope.jobId === undefined) return registry.ofOwner(scope.owner);
      const job = registry.get(scope.jobId);
      return job?.record.owner === scope.owner ? [job] : [];
    },
  };
  const view = form.view === 'v2' ? v2Reader(readerContext) : nativeReader(readerContext);
  await registry.ready(scope.owner);
  const opened = await view.open(start);
  const cursor = new BehaviorSubject(opened.at);
  let isOpening = true;

  const hasLog = (): boolean => {
    const { position: at } = cursor.value;
    if (isOpening || at === undefined) return false;
    const { position, hasEnded } = published(readerContext);
    return at === position && !hasEnded;
  };
  const withCurrent = (
    frames: readonly Uint8Array[],
    room: number,
    ticket: string | undefined,
  ): NextFrames => {
    const { frames: more, againInMs } = current.take(positionText(cursor.value), room, ticket);
    const all = frames.length === 0 ? more : [...frames, ...more];
    return { frames: all, isOver: false, ...(againInMs !== undefined && { againInMs }) };
  };

  return {
    markChanged: current.markChanged,
    hasAll: () => current.isEmpty() && hasLog(),
    known: (maxBytes) => {
      if (!hasLog()) return undefined;
      const ticket = current.ticket();
      return ticket instanceof Promise ? undefined : withCurrent([], maxBytes, ticket);
    },
    next: async (maxBytes) => {
      if (isOpening) {
        isOpening = false;
        if (opened.frames.length > 0 || opened.isOver) return opened;
      }
      // Before the log is read, so that nothing gets between its last event and the state.
      const ticket = await current.ticket();
      const { frames, size, isOver, hasAll, at } = await readLog(readerContext, view, cursor.value, maxBytes);
      cursor.next(at);
      return hasAll && !isOver ? withCurrent(frames, maxBytes - size, ticket) : { frames, isOver };
    },
    closingFrames: () => view.closingFrames(cursor.value),
    revokedFrames: () => view.revokedFrames(cursor.value),
  };
};

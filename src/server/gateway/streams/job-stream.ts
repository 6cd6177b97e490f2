import { type ByteSink, type ByteSource, pullBody } from './pull-body.js';
import { chunked, encodings } from './encoding.js';
import { filter, merge, type Observable } from 'rxjs';
import type { JobChange } from '../registry/tracked-jobs.js';
import { keepAlive } from './keep-alive.js';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';
import type { LogScope } from '../../joblog/event-log.js';
import { type NextFrames, type StreamReader, streamReader } from './stream-reader.js';
import { restartableTimer } from './restartable-timer.js';
import type { StreamContext } from './stream-context.js';
import { streamEnd } from './stream-end.js';
import type { StreamEnds, StreamForm, StreamStart } from '../model/gateway-jobs.js';

/**
 * Opens a stream of bytes that a reader drives: nothing is made before it asks, and at most `readerBytes` at a time.
 *
 * Events are not queued for a reader: it has a position in the log, and reads on from there. A reader that waits gets an event in the turn
 * in which it comes, unless it stands in the log.
 */
export const openStream = async (
  context: StreamContext,
  scope: LogScope,
  form: StreamForm,
  start: StreamStart,
  ends: StreamEnds = {},
): Promise<ReadableStream<Uint8Array>> =>
  pullBody(readerSource(context, scope, form, ends, await streamReader(context, scope, form, start)));

/** Where a reader is. */
interface ReaderState {
  /** Gets the bytes; undefined before the stream is read. */
  sink: ByteSink | undefined;
  /** Whether the sink has asked for bytes. */
  isWaiting: boolean;
  /** Whether a page of the log is being read. */
  isReading: boolean;
  /** Whether anything may have become known since the last page. */
  mayHaveMore: boolean;
  sentAt: number;
}

const newReader = (sentAt: number): ReaderState => ({
  ...{ sink: undefined, isWaiting: false, isReading: false, mayHaveMore: true, sentAt },
});

/** Makes the bytes of one reader. */
const readerSource = (
  context: StreamContext,
  scope: LogScope,
  form: StreamForm,
  { aborted, revoked, ended, hold }: StreamEnds,
  reader: StreamReader,
): ByteSource => {
  const { clock, readerBytes = 65_536, stallMs = 30_000, keepAliveMs = 15_000, closing } = context;
  const at = newReader(clock.now());
  const { held, fail, broken, leave, contained } = streamEnd(() => at.sink, context.onError);
  const [stall, again] = [restartableTimer(clock), restartableTimer(clock)];
  for (const end of [stall.clear, again.clear, ended]) held.add(end);

  const counted = countsUnread(hold, fail);
  const give = (frames: readonly Uint8Array[], isLast: boolean): void => {
    at.isWaiting = false;
    at.sentAt = clock.now();
    const size = counted(frames);
    if (size === 'refused') return;
    if (size === 'large') stall.set(stallMs, stalled);
    const isOver = isLast && size === 'small';
    at.mayHaveMore ||= isLast && !isOver;
    // Before the sink asks for more.
    if (isOver) held.unsubscribe();
    at.sink?.write(chunked(frames));
    if (isOver) at.sink?.close();
  };
  const read = (): void => {
    if (!at.isWaiting || at.isReading || held.closed) return;
    at.mayHaveMore = false;
    if (revoked?.aborted === true) {
      give(reader.revokedFrames(), true);
      return;
    }
    const isClosing = closing.value;
    const known = reader.known(readerBytes);
    if (known !== undefined) {
      found(known, isClosing);
      return;
    }
    at.isReading = true;
    reader.next(readerBytes).then(
      (next) =>
        contained(() => {
          at.isReading = false;
          if (!held.closed) found(next, isClosing);
        }),
      broken,
    );
  };
  const found = ({ frames, isOver, againInMs }: NextFrames, isClosing: boolean): void => {
    if (frames.length > 0 || isOver) give(frames, isOver);
    else if (isClosing) give(reader.closingFrames(), true);
    else if (at.mayHaveMore) read();
    else if (againInMs !== undefined) again.set(againInMs, notice);
  };
  const stalled = (): void => fail(new Error(`The reader took nothing for ${stallMs} ms.`));
  const notice = (): void =>
    contained(() => {
      at.mayHaveMore = true;
      if (at.isWaiting) read();
      else if (!stall.isSet()) stall.set(stallMs, stalled);
    });
  const changed = ({ jobId }: JobChange): void => {
    reader.markChanged(jobId);
    notice();
  };
  const sendKeepAlive = (): void =>
    contained(() => {
      if (at.isWaiting && !at.isReading) give([encodings[form.format].keepAlive], false);
    });
  return {
    to: (next) => {
      const isFirst = at.sink === undefined;
      at.sink = next;
      if (!isFirst) return;
      held.add(fromAbortSignal(aborted).subscribe({ next: leave, error: broken }));
      held.add(endings(context, revoked).subscribe({ next: notice, error: broken }));
      held.add(changesIn(context, scope).subscribe({ next: changed, error: broken }));
      held.add(keepAlive(clock, keepAliveMs, () => at.sentAt, sendKeepAlive));
    },
    pull: () => {
      at.isWaiting = true;
      stall.clear();
      hold?.release();
      contained(() => {
        if (at.mayHaveMore || !reader.hasAll()) read();
      });
    },
    cancel: () => held.unsubscribe(),
  };
};

/** Fewer bytes stand in the buffers of a socket. */
const smallBytes = 64 * 1024;

/**
 * Counts large frames as held for their reader; cuts the stream where its caller may hold no more. A reader may leave a large last event in
 * memory, so a stream is not over before it has taken that.
 */
const countsUnread =
  (hold: StreamEnds['hold'], cut: (error: unknown) => void) =>
  (frames: readonly Uint8Array[]): 'small' | 'large' | 'refused' => {
    const size = frames.reduce((sum, { length }) => sum + length, 0);
    if (size <= smallBytes) return 'small';
    try {
      hold?.add(size);
      return 'large';
    } catch (error) {
      cut(error);
      return 'refused';
    }
  };

/** Emits when the stream is to end early. */
const endings = ({ closing }: StreamContext, revoked: AbortSignal | undefined): Observable<unknown> =>
  merge(closing.pipe(filter(Boolean)), fromAbortSignal(revoked));

/** Emits when there may be something new about a job. */
const changesIn = ({ registry }: StreamContext, { owner, jobId }: LogScope): Observable<JobChange> =>
  registry.changes.pipe(
    filter((change) => change.owner === owner && (jobId === undefined || change.jobId === jobId)),
  );

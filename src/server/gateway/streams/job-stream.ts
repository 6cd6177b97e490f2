import { type ByteSink, type ByteSource, pullBody } from './pull-body.js';
import { chunked, encodings } from './encoding.js';
import { filter, merge, type Observable, Subscription, tap } from 'rxjs';
import { keepAlive } from './keep-alive.js';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';
import type { LogScope } from '../../joblog/event-log.js';
import { type NextFrames, type StreamReader, streamReader } from './stream-reader.js';
import { restartableTimer } from './restartable-timer.js';
import type { StreamContext } from './stream-context.js';
import type { StreamEnds, StreamForm, StreamStart } from '../model/gateway-jobs.js';

/**
 * Opens a stream of bytes that a reader drives: nothing is made before it asks, and at most `readerBytes` at a time.
 *
 * News are not queued for a reader: it has a position in the log, and reads on from there. A reader that waits gets news in the turn
 * in which they come, unless they stand in the log.
 */
export const openStream = async (
  context: StreamContext,
  scope: LogScope,
  form: StreamForm,
  start: StreamStart,
  ends: StreamEnds = {},
): Promise<ReadableStream<Uint8Array>> =>
  pullBody(readerSource(context, scope, form, ends, await streamReader(context, scope, form, start)));

/** Makes the bytes of one reader. */
const readerSource = (
  context: StreamContext,
  scope: LogScope,
  form: StreamForm,
  { aborted, revoked, ended }: StreamEnds,
  reader: StreamReader,
): ByteSource => {
  const { clock, readerBytes = 65_536, stallMs = 30_000, keepAliveMs = 15_000, closing } = context;
  const held = new Subscription();
  const [stall, again] = [restartableTimer(clock), restartableTimer(clock)];
  for (const timer of [stall, again]) held.add(timer.clear);
  held.add(ended);
  /** `isWaiting`: for bytes. `hasNews`: something may have become known since the last look. */
  const at = { isWaiting: false, isLooking: false, hasNews: true, sentAt: clock.now() };
  let sink: ByteSink | undefined;

  const fail = (error: unknown): void => {
    if (held.closed) return;
    held.unsubscribe();
    sink?.error(error);
  };
  const give = (frames: readonly Uint8Array[], isOver: boolean): void => {
    at.isWaiting = false;
    at.sentAt = clock.now();
    // Before the sink asks for more.
    if (isOver) held.unsubscribe();
    sink?.write(chunked(frames));
    if (isOver) sink?.close();
  };
  const look = (): void => {
    if (!at.isWaiting || at.isLooking || held.closed) return;
    at.hasNews = false;
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
    at.isLooking = true;
    reader.next(readerBytes).then(
      (next) =>
        contained(() => {
          at.isLooking = false;
          if (!held.closed) found(next, isClosing);
        }),
      broken,
    );
  };
  const found = ({ frames, isOver, againInMs }: NextFrames, isClosing: boolean): void => {
    if (frames.length > 0 || isOver) give(frames, isOver);
    else if (isClosing) give(reader.closingFrames(), true);
    else if (at.hasNews) look();
    else if (againInMs !== undefined) again.set(againInMs, notice);
  };
  const broken = (error: unknown): void => {
    context.onError?.(error);
    fail(error);
  };
  const contained = containing(broken);
  const stalled = (): void => fail(new Error(`The reader took nothing for ${stallMs} ms.`));
  const notice = (): void =>
    contained(() => {
      at.hasNews = true;
      if (at.isWaiting) look();
      else if (!stall.isSet()) stall.set(stallMs, stalled);
    });
  /** Closes the stream: servers report errors to their log, and a reader that leaves is no error. */
  const leave = (): void =>
    contained(() => {
      if (held.closed) return;
      held.unsubscribe();
      sink?.close();
    });
  const sendKeepAlive = (): void =>
    contained(() => {
      if (at.isWaiting && !at.isLooking) give([encodings[form.format].keepAlive], false);
    });
  return {
    to: (next) => {
      const isFirst = sink === undefined;
      sink = next;
      if (!isFirst) return;
      held.add(fromAbortSignal(aborted).subscribe({ next: leave, error: broken }));
      held.add(notices(context, scope, reader, revoked).subscribe({ next: notice, error: broken }));
      held.add(keepAlive(clock, keepAliveMs, () => at.sentAt, sendKeepAlive));
    },
    pull: () => {
      at.isWaiting = true;
      stall.clear();
      contained(() => {
        if (at.hasNews || !reader.hasAll()) look();
      });
    },
    cancel: () => held.unsubscribe(),
  };
};

/** Does work in a turn of others, whom what it throws does not reach: it ends this stream. */
const containing =
  (broken: (error: unknown) => void) =>
  (work: () => void): void => {
    try {
      work();
    } catch (error) {
      broken(error);
    }
  };

/** Emits when there may be something for a reader, which has noted then of which job. */
const notices = (
  { registry, closing }: StreamContext,
  { owner, jobId }: LogScope,
  reader: StreamReader,
  revoked: AbortSignal | undefined,
): Observable<unknown> =>
  merge(
    closing.pipe(filter(Boolean)),
    registry.changes.pipe(
      filter((changed) => changed.owner === owner && (jobId ?? changed.jobId) === changed.jobId),
      tap((changed) => reader.markChanged(changed.jobId)),
    ),
    fromAbortSignal(revoked),
  );

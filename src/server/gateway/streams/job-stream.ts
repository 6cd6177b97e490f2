import { chunked, encodings } from './encoding.js';
import { type ByteSink, drivenBody } from './driven-body.js';
import { filter, Subscription } from 'rxjs';
import type { LogScope } from '../ports/event-log.js';
import { type NextPieces, streamReader } from './stream-reader.js';
import type { StreamContext } from './stream-context.js';
import type { StreamEnds, StreamForm, StreamStart } from '../jobs/gateway-jobs.js';

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
  { aborted, revoked, ended }: StreamEnds = {},
): Promise<ReadableStream<Uint8Array>> => {
  const { clock, board, readerBytes = 65_536, stallMs = 30_000, keepAliveMs = 15_000, closing } = context;
  const encoding = encodings[form.format];
  const reader = streamReader(context, scope, form, start);
  await reader.open();
  const held = new Subscription();
  held.add(ended);

  let sink: ByteSink | undefined;
  /** Whether the reader waits for bytes. */
  let isWaiting = false;
  let isLooking = false;
  /** Whether something may have become known since the last look. */
  let isNews = true;
  let sentAt = clock.now();
  let cancelStall: (() => void) | undefined;
  let cancelAgain: (() => void) | undefined;
  let cancelKeepAlive: (() => void) | undefined;
  held.add(() => {
    cancelStall?.();
    cancelAgain?.();
    cancelKeepAlive?.();
  });
  const isEnded = (): boolean => held.closed;

  const fail = (error: unknown): void => {
    if (isEnded()) return;
    held.unsubscribe();
    sink?.error(error);
  };
  const give = (pieces: readonly Uint8Array[], isOver: boolean): void => {
    isWaiting = false;
    sentAt = clock.now();
    // Before the sink asks for more.
    if (isOver) held.unsubscribe();
    sink?.write(chunked(pieces));
    if (isOver) sink?.close();
  };
  const look = (): void => {
    if (!isWaiting || isLooking || isEnded()) return;
    isNews = false;
    if (revoked?.aborted === true) {
      give(reader.revoked(), true);
      return;
    }
    const isClosing = closing.value;
    const known = reader.known(readerBytes);
    if (known !== undefined) {
      found(known, isClosing);
      return;
    }
    isLooking = true;
    reader.next(readerBytes).then((next) => {
      isLooking = false;
      if (!isEnded()) found(next, isClosing);
    }, fail);
  };
  const found = ({ pieces, isOver, againInMs }: NextPieces, isClosing: boolean): void => {
    if (pieces.length > 0 || isOver) give(pieces, isOver);
    else if (isClosing) give(reader.farewell(), true);
    else if (isNews) look();
    else if (againInMs !== undefined) {
      cancelAgain?.();
      cancelAgain = clock.after(againInMs, notice, { background: true });
    }
  };
  const stalled = (): void => fail(new Error(`The reader took nothing for ${stallMs} ms.`));
  const notice = (): void => {
    isNews = true;
    if (isWaiting) look();
    else cancelStall ??= clock.after(stallMs, stalled, { background: true });
  };
  const keepAlive = (afterMs: number): void => {
    cancelKeepAlive = clock.after(
      afterMs,
      () => {
        const silentMs = clock.now() - sentAt;
        if (silentMs >= keepAliveMs && isWaiting && !isLooking) give([encoding.keepAlive], false);
        keepAlive(silentMs < keepAliveMs ? keepAliveMs - silentMs : keepAliveMs);
      },
      { background: true },
    );
  };
  const begin = (): void => {
    const abort = (): void => fail(new Error('The request was aborted.'));
    if (aborted?.aborted === true) {
      abort();
      return;
    }
    aborted?.addEventListener('abort', abort, { once: true });
    held.add(() => aborted?.removeEventListener('abort', abort));
    held.add(closing.pipe(filter(Boolean)).subscribe({ next: notice, error: () => undefined }));
    revoked?.addEventListener('abort', notice, { once: true });
    held.add(() => revoked?.removeEventListener('abort', notice));
    held.add(
      board.news
        .pipe(filter(({ owner, jobId }) => owner === scope.owner && (scope.jobId ?? jobId) === jobId))
        .subscribe({
          next: ({ jobId }) => {
            reader.noted(jobId);
            notice();
          },
          error: () => undefined,
        }),
    );
    keepAlive(keepAliveMs);
  };

  return drivenBody({
    to: (next) => {
      const isFirst = sink === undefined;
      sink = next;
      if (isFirst) begin();
    },
    pull: () => {
      isWaiting = true;
      cancelStall?.();
      cancelStall = undefined;
      if (isNews || !reader.hasAll()) look();
    },
    cancel: () => held.unsubscribe(),
  });
};

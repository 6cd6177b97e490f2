import { chunked, encodings } from './encoding.js';
import { filter, Subscription } from 'rxjs';
import type { LogScope } from '../ports/event-log.js';
import type { StreamContext } from './stream-context.js';
import type { StreamEnds, StreamForm, StreamStart } from '../jobs/gateway-jobs.js';
import { streamReader } from './stream-reader.js';

/**
 * Opens a stream of bytes that a reader drives: nothing is made before it asks, and at most `readerBytes` at a time.
 *
 * News are not queued for a reader: it has a position in the log, and reads on from there.
 */
export const openStream = async (
  context: StreamContext,
  scope: LogScope,
  form: StreamForm,
  start: StreamStart,
  { aborted: signal, revoked }: StreamEnds = {},
): Promise<ReadableStream<Uint8Array>> => {
  const { clock, board, readerBytes = 65_536, stallMs = 30_000, keepAliveMs = 15_000, closing } = context;
  const encoding = encodings[form.format];
  const reader = streamReader(context, scope, form, start);
  await reader.open();
  const held = new Subscription();
  const now = {
    /** Whether something may have become known since the reader looked. */
    isNews: true,
    isPulling: false,
    wake: (): void => undefined,
    cancelStall: undefined as (() => void) | undefined,
    stalled: (): void => undefined,
  };

  const end = (): void => {
    now.cancelStall?.();
    held.unsubscribe();
  };
  const notice = (): void => {
    now.isNews = true;
    now.wake();
    if (!now.isPulling) now.cancelStall ??= clock.after(stallMs, now.stalled, { background: true });
  };

  /** Resolves with the next news, or without any after `ms`. */
  const news = (ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, () => resolve(false), { background: true });
      now.wake = () => {
        cancel();
        resolve(true);
      };
    });

  const isEnded = (): boolean => held.closed;
  const hasNews = (): boolean => now.isNews;

  /** The next bytes, once there are any. */
  const take = async (): Promise<{ readonly chunks: readonly Uint8Array[]; readonly isOver: boolean }> => {
    for (;;) {
      now.isNews = false;
      if (revoked?.aborted === true) return { chunks: chunked(reader.revoked()), isOver: true };
      const isClosing = closing.value;
      const { pieces, isOver, againInMs = keepAliveMs } = await reader.next(readerBytes);
      if (pieces.length > 0 || isOver || isEnded()) return { chunks: chunked(pieces), isOver };
      if (isClosing) return { chunks: chunked(reader.farewell()), isOver: true };
      if (hasNews()) continue;
      const waitMs = Math.min(againInMs, keepAliveMs);
      const isSilent = !(await news(waitMs));
      if (isEnded()) return { chunks: [], isOver: true };
      if (isSilent && waitMs === keepAliveMs) return { chunks: [encoding.keepAlive], isOver: false };
    }
  };

  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        now.stalled = () => {
          end();
          controller.error(new Error(`The reader took nothing for ${stallMs} ms.`));
        };
        const abort = (): void => {
          end();
          now.wake();
          controller.error(new Error('The request was aborted.'));
        };
        if (signal?.aborted === true) {
          abort();
          return;
        }
        signal?.addEventListener('abort', abort, { once: true });
        held.add(() => signal?.removeEventListener('abort', abort));
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
      },
      pull: async (controller) => {
        now.isPulling = true;
        now.cancelStall?.();
        now.cancelStall = undefined;
        const { chunks, isOver } = await take();
        now.isPulling = false;
        if (isEnded()) return;
        for (const chunk of chunks) controller.enqueue(chunk);
        if (!isOver) return;
        end();
        controller.close();
      },
      cancel: () => {
        end();
        now.wake();
      },
    },
    { highWaterMark: 0 },
  );
};

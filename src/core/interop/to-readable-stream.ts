import type { Observable } from 'rxjs';
import { toAsyncIterable, type AsyncIterableOptions } from './to-async-iterable.js';

/**
 * Turns an Observable into a web `ReadableStream` with back-pressure.
 *
 * ```text
 * observable       --a--b--c--d--|
 * read()           ^-a  ^--------b-c-d-close     b, c and d wait until they are asked for
 * ```
 *
 * It subscribes when called. The stream itself holds nothing: each read takes one value out of a queue of at most
 * `capacity`, and `overflow` says what happens beyond that, as for `toAsyncIterable`. Cancelling the stream
 * unsubscribes at once; the signal closes it and unsubscribes; an error of the Observable errors it after the values
 * before it. For a `Response` map the values to bytes first.
 *
 * @example
 * ```ts
 * import { toReadableStream, type Job } from 'promptwire';
 * import { map } from 'rxjs';
 * import { writeExactJson } from 'promptwire/workflow';
 *
 * const answer = (job: Job, signal: AbortSignal): Response => {
 *   const lines = job.states.pipe(map((state) => new TextEncoder().encode(`data: ${writeExactJson(state)}\n\n`)));
 *   return new Response(toReadableStream(lines, { signal }), { headers: { 'content-type': 'text/event-stream' } });
 * };
 * ```
 */
export const toReadableStream = <A>(
  observable: Observable<A>,
  options: AsyncIterableOptions<A> = {},
): ReadableStream<A> => {
  const values = toAsyncIterable(observable, options);

  return new ReadableStream<A>(
    {
      pull: async (controller) => {
        const result = await values.next();
        if (result.done === true) controller.close();
        else controller.enqueue(result.value);
      },
      // A pull that waits ends by this; that its stream is closed already is the stream's to ignore.
      cancel: async () => {
        await values.return();
      },
    },
    { highWaterMark: 0 },
  );
};

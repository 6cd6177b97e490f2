import type { Dispatcher } from 'undici';
import { onAbort } from '../../interop/on-abort.js';
import type { HttpRequest, HttpResponse } from '../../socket/platform.js';
import { flatHeaders } from './flat-headers.js';
import { pieceQueue } from './piece-queue.js';
import { transportFailure } from './transport-failure.js';

/**
 * Sends one request and resolves with its answer, whose body comes as fast as the network gives it; `answered` is called
 * when it came whole.
 *
 * undici is never told to pause: a body that ends with its connection while it does ends the process. Whoever reads bounds
 * what is read, and discards the rest.
 */
export const exchange = (
  dispatcher: Dispatcher,
  request: HttpRequest,
  optionsOf: (request: HttpRequest) => Dispatcher.DispatchOptions,
  answered?: () => void,
): Promise<HttpResponse> =>
  new Promise((resolve, reject) => {
    if (request.whenEnded === undefined) request.signal?.throwIfAborted();
    const { push, end, pieces, whole } = pieceQueue();
    let controller: Dispatcher.DispatchController | undefined;
    let sent = false;
    let over = false;

    const abort = (): void => {
      over = true;
      controller?.abort(givenUp);
    };
    const giveUp = (): void => {
      // Before undici tells it as a failure.
      reject(request.signal?.reason as Error);
      abort();
    };
    const stopListening = request.whenEnded?.(giveUp) ?? onAbort(request.signal, giveUp);
    const fail = (cause: unknown): void => {
      stopListening();
      const failure = transportFailure(cause, sent);
      reject(failure);
      end(failure);
    };
    try {
      dispatcher.dispatch(optionsOf(request), {
        onRequestStart: (started) => {
          controller = started;
          if (over) {
            controller.abort(givenUp);
            return;
          }
          sent = true;
          request.onSent?.();
        },
        onResponseStart: (_, status, headers) => {
          // Those below 200 announce an answer.
          if (status < 200) return;
          resolve({
            status,
            headers: flatHeaders(headers),
            body: { [Symbol.asyncIterator]: () => pieces() },
            whole,
            discard: abort,
          });
        },
        onResponseData: (_, piece) => push(piece),
        onResponseEnd: () => {
          over = true;
          stopListening();
          answered?.();
          end();
        },
        onResponseError: (_, cause) => fail(cause),
      });
    } catch (cause) {
      fail(cause);
    }
  });

/** One for all: an error that nobody sees needs no stack of its own. */
const givenUp = new Error('the request was given up');

import type { Dispatcher } from 'undici';
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
    const { signal, onSent } = request;
    signal?.throwIfAborted();
    const { push, end, pieces } = pieceQueue();
    let controller: Dispatcher.DispatchController | undefined;
    let sent = false;
    let over = false;

    const abort = (): void => {
      over = true;
      controller?.abort(givenUp);
    };
    const onAbort = (): void => {
      // Before undici tells it as a failure.
      reject(signal?.reason as Error);
      abort();
    };
    const stopListening = (): void => signal?.removeEventListener('abort', onAbort);
    signal?.addEventListener('abort', onAbort, { once: true });
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
          onSent?.();
        },
        onResponseStart: (_, status, headers) => {
          // Those below 200 announce an answer.
          if (status < 200) return;
          resolve({ status, headers: flatHeaders(headers), body: pieces(), discard: abort });
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

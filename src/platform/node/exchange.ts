import type { Dispatcher } from 'undici';
import { flatHeaders, onEnd } from './request-sender.js';
import type { HttpRequest, HttpResponse } from '../platform.js';
import { PieceQueue } from './pieces.js';
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
    request.signal?.throwIfAborted();
    const handler = new Exchange(request, { resolve, reject, answered });
    try {
      dispatcher.dispatch(optionsOf(request), handler);
    } catch (cause) {
      handler.onResponseError(undefined, cause);
    }
  });

/** Who waits for the answer. */
interface Waiting {
  readonly resolve: (response: HttpResponse) => void;
  readonly reject: (cause: Error) => void;
  readonly answered: (() => void) | undefined;
}

/** What undici tells of one request; a record with methods, since a thousand of them may be under way. */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly request: HttpRequest;
  private readonly waiting: Waiting;
  private readonly body = new PieceQueue();
  private readonly stopListening: () => void;
  private controller: Dispatcher.DispatchController | undefined;
  private sent = false;
  private over = false;

  constructor(request: HttpRequest, waiting: Waiting) {
    this.request = request;
    this.waiting = waiting;
    const giveUp = (): void => {
      // Before undici tells it as a failure.
      waiting.reject((request.signal?.reason as Error | undefined) ?? givenUp);
      this.discard();
    };
    this.stopListening = onEnd(request, giveUp);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.over) {
      controller.abort(givenUp);
      return;
    }
    this.sent = true;
    this.request.onSent?.();
  }

  onResponseStart(_: unknown, status: number, headers: Parameters<typeof flatHeaders>[0]): void {
    // Those below 200 announce an answer.
    if (status < 200) return;
    const { body } = this;
    this.waiting.resolve({
      status,
      headers: flatHeaders(headers),
      body,
      whole: (maxBytes) => body.whole(maxBytes),
      discard: () => this.discard(),
    });
  }

  onResponseData(_: unknown, piece: Uint8Array): void {
    this.body.push(piece);
  }

  onResponseEnd(): void {
    this.over = true;
    this.stopListening();
    this.waiting.answered?.();
    this.body.end();
  }

  onResponseError(_: unknown, cause: unknown): void {
    this.stopListening();
    const failure = transportFailure(cause, this.sent);
    this.waiting.reject(failure);
    this.body.end(failure);
  }

  private discard(): void {
    this.over = true;
    this.controller?.abort(givenUp);
  }
}

/** One for all: an error that nobody sees needs no stack of its own. */
const givenUp = new Error('the request was given up');

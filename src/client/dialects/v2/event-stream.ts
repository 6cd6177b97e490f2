import type { Clock, HttpResponse } from '../../../core/platform/platform.js';
import { createParser } from 'eventsource-parser';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { Observable } from 'rxjs';
import { parseJson } from '../../../core/protocol/json/parse-json.js';
import { retryAfter } from '../../../core/errors/retry-after.js';
import type { StreamEvent } from './messages.js';

/**
 * Why a stream is over before its job: the connection or the service failed (`lost`), the service asks to come later (`throttled`),
 * or it refuses the key (`refused`).
 */
export class StreamEnd extends Error {
  override readonly name = 'StreamEnd';
  readonly kind: 'lost' | 'throttled' | 'refused';
  /** The HTTP status, where the service answered with one. */
  readonly status: number | undefined;
  /** The system's code, or a word for what happened. */
  readonly code: string;
  /** How long the service asked to wait. */
  readonly retryAfterMs: number;

  constructor(
    kind: StreamEnd['kind'],
    {
      status,
      code = 'EOF',
      retryAfterMs = 0,
    }: Partial<Pick<StreamEnd, 'status' | 'code' | 'retryAfterMs'>> = {},
  ) {
    super(`the stream of events ended (${String(status ?? code)})`);
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** How one stream of events is asked for, and who hears of it. */
export interface EventStreamOptions {
  readonly clock: Clock;
  /** Sends the request; its answer is read as it comes. */
  readonly request: (signal: AbortSignal) => Promise<HttpResponse>;
  /** Called once the service answers, with any status. */
  readonly answered: () => void;
  /** Called once events may come. */
  readonly opened: () => void;
  /** Called where an event was larger than `maxMessageBytes`; the stream ends by it. */
  readonly tooLarge?: (() => void) | undefined;
  /** Largest event, in characters; default 32 Mi. */
  readonly maxMessageBytes?: number | undefined;
}

/** A server sends something at least every 15 s; after so long without a byte the connection is dead. */
const silenceMs = 45_000;

/**
 * One connection to the stream of a job's events, as a cold stream.
 *
 * It completes if the service has no such stream (404, 501, a page), or says that the job is not this client's. Every other
 * end errors with {@link StreamEnd}: a clean close as well, since only an event says that the job has ended. Unsubscribing closes the
 * connection (docs/protocol.md, chapter 12.7).
 */
export const eventStream = ({
  clock,
  request,
  answered,
  opened,
  tooLarge,
  maxMessageBytes = 32 * 1024 * 1024,
}: EventStreamOptions): Observable<StreamEvent> =>
  new Observable((subscriber) => {
    const aborting = new AbortController();
    let heardAt = clock.now();
    const watch = (): void => {
      const leftMs = heardAt + silenceMs - clock.now();
      if (leftMs > 0) cancelWatch = clock.after(leftMs, watch);
      else subscriber.error(new StreamEnd('lost', { code: 'ETIMEDOUT' }));
    };
    let cancelWatch = clock.after(silenceMs, watch);

    const parser = createParser({
      maxBufferSize: maxMessageBytes,
      onEvent: ({ event = '', data }) => {
        const received = { event, data: parseJson(data) ?? data };
        subscriber.next(received);
        if (event === 'error') endBy(received);
      },
      onError: ({ type }) => {
        if (type !== 'max-buffer-size-exceeded') return;
        tooLarge?.();
        subscriber.error(new StreamEnd('lost', { code: 'EMSGSIZE' }));
      },
    });
    /** An error ends the stream for good: what it says is about the key, or about the job. */
    const endBy = ({ data }: StreamEvent): void => {
      const error = isJsonObject(data) ? data['error'] : undefined;
      const code = isJsonObject(error) ? error['code'] : undefined;
      if (code === 'credential_expired' || code === 'unauthorized')
        subscriber.error(new StreamEnd('refused', { status: 401 }));
      else subscriber.complete();
    };
    const read = async (): Promise<void> => {
      const response = await request(aborting.signal);
      const { status, headers, body, discard } = response;
      if (subscriber.closed) {
        discard();
        return;
      }
      heardAt = clock.now();
      answered();
      const isStream = /^text\/event-stream\b/iu.test(headers['content-type'] ?? 'text/event-stream');
      if (status !== 200 || !isStream) {
        discard();
        endByStatus(status, headers);
        return;
      }
      opened();
      const decoder = new TextDecoder();
      for await (const chunk of body) {
        heardAt = clock.now();
        parser.feed(decoder.decode(chunk, { stream: true }));
      }
      subscriber.error(new StreamEnd('lost'));
    };
    const endByStatus = (status: number, headers: HttpResponse['headers']): void => {
      if (status === 429) {
        const retryAfterMs = retryAfter(headers['retry-after'], clock.wall());
        subscriber.error(new StreamEnd('throttled', { status, retryAfterMs }));
      } else if (status === 401) subscriber.error(new StreamEnd('refused', { status }));
      else if (status >= 500 && status !== 501) subscriber.error(new StreamEnd('lost', { status }));
      else subscriber.complete();
    };
    read().catch((cause: unknown) => subscriber.error(new StreamEnd('lost', { code: codeOf(cause) })));

    return () => {
      cancelWatch();
      aborting.abort();
    };
  });

const codeOf = (cause: unknown): string => {
  const code = isJsonObject(cause) ? cause['code'] : undefined;
  return typeof code === 'string' ? code : 'EUNKNOWN';
};

import type { HttpRequest, HttpResponse } from '../../src/core/platform/platform.js';
import { type FakeAnswer, fakePlatform, type FakePlatform } from './fake-platform.js';

/** A stream of events that the client asked for; the test plays the server. */
export interface FakeStream {
  readonly request: HttpRequest;
  readonly isLeft: () => boolean;
  /** Whether the client gave up the answer without reading it to its end. */
  readonly isDiscarded: () => boolean;
  /** Answers with 200 and the headers of a stream. */
  readonly open: () => void;
  readonly answer: (status: number, headers?: Readonly<Record<string, string>>) => void;
  readonly text: (text: string) => void;
  readonly event: (event: string, data: unknown) => void;
  readonly end: () => void;
  readonly fail: (cause: unknown) => void;
}

/** A platform of memory whose service of API v2 the test plays; `answer` plays everything but the streams. */
export const v2Platform = (
  answer: (request: HttpRequest) => FakeAnswer | Promise<FakeAnswer> = () => ({ status: 404 }),
): { readonly platform: FakePlatform; readonly streams: FakeStream[] } => {
  const streams: FakeStream[] = [];
  const platform = fakePlatform(answer);
  return {
    streams,
    platform: {
      ...platform,
      request: (request) => {
        if (!request.url.endsWith('/events')) return platform.request(request);
        const { stream, response } = fakeStream(request);
        streams.push(stream);
        return response;
      },
    },
  };
};

const fakeStream = (request: HttpRequest) => {
  let respond: (response: HttpResponse) => void = () => undefined;
  let refuse: (cause: unknown) => void = () => undefined;
  const response = new Promise<HttpResponse>((resolve, reject) => ([respond, refuse] = [resolve, reject]));
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  const bytes = new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) });
  request.signal?.addEventListener('abort', () => {
    refuse(new Error('aborted'));
    body?.error(new Error('aborted'));
  });
  let isDiscarded = false;
  const answer: FakeStream['answer'] = (status, headers = {}) =>
    respond({ status, headers, body: bytes, discard: () => void (isDiscarded = true) });
  const text = (written: string): void => body?.enqueue(new TextEncoder().encode(written));
  const stream: FakeStream = {
    request,
    isLeft: () => request.signal?.aborted === true,
    isDiscarded: () => isDiscarded,
    answer,
    open: () => answer(200, { 'content-type': 'text/event-stream' }),
    text,
    event: (event, data) => text(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => body?.close(),
    fail: (cause) => {
      refuse(cause);
      body?.error(cause);
    },
  };
  return { stream, response };
};

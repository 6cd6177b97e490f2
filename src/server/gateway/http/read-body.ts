import { HttpRefusal } from './refusal.js';
import { parseExactJson } from '../../../core/protocol/json/exact-json.js';
import type { RouteCall } from './route.js';

/** A bound of the gateway for bodies, and the option that sets it. */
export interface BodyLimit {
  readonly bytes: number;
  readonly option: 'bodyBytes' | 'uploadBytes';
}

/** The ways to read a body of at most so many bytes. Throws `HttpRefusal` where its `Content-Length` exceeds that already. */
export const readBody = (request: Request, limit: BodyLimit): Pick<RouteCall, 'body' | 'json' | 'form'> => {
  if (Number(request.headers.get('content-length') ?? 0) > limit.bytes) throw tooLarge(limit);
  const isEmpty = request.headers.get('content-length') === '0';
  const body = request.body === null || isEmpty ? null : counted(request.body, limit);
  const whole = (): Response =>
    new Response(body, { headers: { 'content-type': request.headers.get('content-type') ?? '' } });
  return {
    body,
    json: async () => {
      const text = await whole().text();
      try {
        return parseExactJson(text);
      } catch {
        throw new HttpRefusal({ status: 400, code: 'invalid_request', message: 'The body is not JSON.' });
      }
    },
    form: async () => {
      try {
        return await whole().formData();
      } catch (error) {
        throw (
          refusalIn(error) ??
          new HttpRefusal({ status: 400, code: 'invalid_request', message: 'The body is not a form.' })
        );
      }
    },
  };
};

/** Passes bytes on, one chunk for each that is asked for, until there are too many. */
const counted = (source: ReadableStream<Uint8Array>, limit: BodyLimit): ReadableStream<Uint8Array> => {
  const reader = source.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await reader.read();
        bytes += value?.byteLength ?? 0;
        if (bytes > limit.bytes) {
          controller.error(tooLarge(limit));
          await reader.cancel().catch(() => undefined);
        } else if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
};

const tooLarge = ({ bytes, option }: BodyLimit): HttpRefusal =>
  new HttpRefusal({
    status: 413,
    code: 'payload_too_large',
    message: `The body may have at most ${bytes} bytes (limits.${option} of the gateway).`,
  });

/** A parser of forms may wrap the error of the stream that it reads. */
const refusalIn = (error: unknown): HttpRefusal | undefined => {
  if (error instanceof HttpRefusal) return error;
  return error instanceof Error && error.cause !== undefined ? refusalIn(error.cause) : undefined;
};

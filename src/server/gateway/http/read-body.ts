import type { BodyHold } from './body-budget.js';
import { bodyPace } from './body-pace.js';
import type { Clock } from '../../../core/platform/platform.js';
import { HttpRefusal } from './refusal.js';
import { gatheredBlob } from './gathered-blob.js';
import { JsonMeter, maxDigits, maxLevels } from '../../../core/protocol/json/json-meter.js';
import { type FormLimit, readForm } from './read-form.js';
import { parsingExactJson } from '../../../core/protocol/json/exact-json.js';
import { inSlices } from '../../../core/platform/in-slices.js';
import type { Steps } from '../../../core/protocol/steps.js';
import { nextTurn } from '../../../core/platform/next-turn.js';
import type { RouteCall } from './route.js';
import { isLargeText } from '../../joblog/turn-for-large.js';

/** The bounds of one body. */
export interface BodyLimit extends FormLimit {
  readonly bytes: number;
  /** The option that sets `bytes`. */
  readonly option: 'bodyBytes' | 'uploadBytes';
  /** How many values a body of JSON may have. */
  readonly values: number;
}

/** The clock and the account of held bytes by which a body is read. */
export interface BodyReading {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Counts what is read against what the caller and the gateway may hold. */
  readonly hold: BodyHold;
  /** Waits until so many bytes of JSON may be worked on. */
  readonly turn: (bytes: number) => Promise<void>;
}

/** The ways to read a body within its bounds. Throws `HttpRefusal` where its `Content-Length` exceeds them already. */
export const readBody = (
  request: Request,
  limit: BodyLimit,
  reading: BodyReading,
): Pick<RouteCall, 'body' | 'json' | 'form' | 'field' | 'blob'> => {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > limit.bytes) throw tooLarge(limit);
  const body = request.body === null || isEmpty(request) ? null : counted(request.body, limit, reading);
  const contentType = request.headers.get('content-type') ?? '';
  return {
    body,
    json: () => readJson(body, limit, reading, 'The body'),
    blob: async () => {
      const content = gatheredBlob();
      for await (const chunk of body ?? []) content.add(chunk);
      return new Blob(content.parts(), { type: contentType });
    },
    form: () => readForm(body, contentType, limit, reading.clock),
    field: (name, value) => {
      const content = new Blob([value]);
      const ofBody = { ...limit, bytes: limit.textBytes, option: 'bodyBytes' } as const;
      if (content.size > ofBody.bytes) return Promise.reject(tooLarge(ofBody));
      return readJson(content.stream(), limit, reading, `The field \`${name}\``);
    },
  };
};

const isEmpty = ({ headers }: Request): boolean => headers.get('content-length') === '0';

/** Measures a text before it parses it. */
const readJson = async (
  body: ReadableStream<Uint8Array> | null,
  limit: BodyLimit,
  { clock, turn }: Pick<BodyReading, 'clock' | 'turn'>,
  what: string,
): Promise<unknown> => {
  const meter = new JsonMeter({ levels: maxLevels, values: limit.values, digits: maxDigits });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    await turn(chunk.byteLength);
    const exceeded = meter.push(chunk);
    if (exceeded === 'levels') throw invalid(`${what} is nested deeper than ${maxLevels} levels.`);
    if (exceeded === 'digits') throw invalid(`${what} has a number of more than ${maxDigits} digits.`);
    if (exceeded === 'values') throw tooManyValues(limit);
    text += decoder.decode(chunk, { stream: true });
  }
  text += decoder.decode();
  // A large text is worked on in turns of its own, so that other requests get theirs in between.
  const isLarge = isLargeText(text);
  if (isLarge) await nextTurn(clock);
  const value = await inSlices(parsing(text, what), clock);
  if (isLarge) await nextTurn(clock);
  return value;
};

function* parsing(text: string, what: string): Steps<unknown> {
  let value: unknown;
  try {
    value = yield* parsingExactJson(text);
  } catch {
    throw invalid(`${what} is not JSON.`);
  }
  if (yield* hasInfinity(value))
    throw invalid(`${what} has a number beyond 1.8e308, which would be written as null.`);
  return value;
}

/** Whether a number of a value became infinite when it was parsed: JSON itself has no such number. */
function* hasInfinity(value: unknown): Steps<boolean> {
  const values: unknown[] = [value];
  for (let one = values.pop(); one !== undefined; one = values.pop()) {
    yield;
    if (one === Infinity || one === -Infinity) return true;
    if (typeof one !== 'object' || one === null) continue;
    for (const member of Object.values(one) as unknown[]) values.push(member);
  }
  return false;
}

/** Passes bytes on, one chunk for each pull, until there are too many or none come in time. */
const counted = (
  source: ReadableStream<Uint8Array>,
  limit: BodyLimit,
  { clock, hold }: BodyReading,
): ReadableStream<Uint8Array> => {
  const reader = source.getReader();
  const pace = bodyPace(clock);
  let bytes = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    const { done, value } = await pace.wait(reader.read());
    if (done) return undefined;
    bytes += value.byteLength;
    if (bytes > limit.bytes) throw tooLarge(limit);
    hold.add(value.byteLength);
    return value;
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const chunk = await next();
          if (chunk === undefined) controller.close();
          else controller.enqueue(chunk);
        } catch (error) {
          controller.error(error instanceof HttpRefusal ? error : brokenOff);
          await reader.cancel().catch(() => undefined);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
};

const invalid = (message: string): HttpRefusal =>
  new HttpRefusal({ status: 400, code: 'invalid_request', message });

/** The visitor has left, or the connection broke: the answer has no reader. */
const brokenOff = new HttpRefusal({
  status: 400,
  code: 'incomplete_body',
  message: 'The body broke off.',
});

const tooLarge = ({ bytes, option }: BodyLimit): HttpRefusal =>
  new HttpRefusal({
    status: 413,
    code: 'payload_too_large',
    message: `The body may have at most ${bytes} bytes (limits.${option} of the gateway).`,
  });

const tooManyValues = ({ values }: BodyLimit): HttpRefusal =>
  new HttpRefusal({
    status: 413,
    code: 'payload_too_large',
    message: `The body may have at most ${values} values (limits.bodyValues of the gateway).`,
  });

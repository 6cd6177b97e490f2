import { counted } from '../protocol/counted.js';
import { type CallContext, endedError } from './failure.js';
import type { CallScope } from './call-scope.js';
import type { Clock, HttpResponse } from '../platform/platform.js';
import { sampleOf } from '../redaction/redact.js';
import type { ServiceError, ServiceErrorFields } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';

/** Options of reading a body. */
export interface FileBodyOptions {
  readonly filename: string;
  /** Whether the answer has a picture that was made of the file, in a format that its name does not tell. */
  readonly isDerived?: boolean | undefined;
  readonly clock: Clock;
  readonly scope: CallScope;
  readonly context: CallContext;
  /** How long the body may be silent. */
  readonly silenceMs: number;
}

/**
 * Reads a file's body, `length` bytes where that is known, and calls `discard` at every end.
 *
 * Throws `DownloadFailed` when the body is cut, longer or shorter than announced, silent for `silenceMs` or slower than
 * 1 KiB/s over a minute, counting only the time in which the reader waits; `Aborted` or `Closed` when the call was ended.
 */
export async function* fileBody(
  response: HttpResponse,
  length: number | undefined,
  options: FileBodyOptions,
  discard: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { scope, clock, filename, context, silenceMs } = options;
  const source = response.body[Symbol.asyncIterator]();
  const pace = bodyPace();
  let received = 0;
  try {
    for (;;) {
      const began = clock.now();
      const patienceMs = Math.min(silenceMs, pace.leftMs());
      scope.restart(patienceMs);
      let chunk: IteratorResult<Uint8Array>;
      try {
        chunk = await scope.race(source.next());
      } catch {
        throw interrupted(options, received, patienceMs);
      }
      scope.hold();
      if (chunk.done === true) break;
      received += chunk.value.byteLength;
      if (length !== undefined && received > length) break;
      if (!pace.keepsUp(clock.now() - began, chunk.value.byteLength)) {
        throw spoiled(options, tooSlow, received);
      }
      yield chunk.value;
    }
    if (length !== undefined && received !== length) {
      const came = received > length ? `more than the ${length}` : `${received} of ${length}`;
      throw downloadFailed(filename, `${came} bytes came`, context);
    }
  } finally {
    discard();
  }
}

const tooSlow = 'it came slower than 1 KiB a second';

const interrupted = (options: FileBodyOptions, received: number, patienceMs: number): ServiceError => {
  const { scope, context, silenceMs } = options;
  const ending = scope.ending();
  if (ending === 'aborted' || ending === 'closed') return endedError(ending, 'answered', context);
  if (ending === undefined) return spoiled(options, 'the connection was cut', received);
  return spoiled(options, patienceMs < silenceMs ? tooSlow : `nothing came for ${silenceMs} ms`, received);
};

const spoiled = ({ filename, context }: FileBodyOptions, reason: string, received: number): ServiceError =>
  downloadFailed(filename, `${reason}, after ${counted(received, 'byte')}`, context);

/** Measures the pace of a body by the time in which its reader waited. */
export interface BodyPace {
  /** How long the next chunk may take before the body is too slow. */
  readonly leftMs: () => number;
  /** Counts a chunk; false if the body is too slow. */
  readonly keepsUp: (waitedMs: number, bytes: number) => boolean;
}

/** Makes the pace of one body: too slow is less than 1 KiB/s over 60 s of waiting. */
const bodyPace = (): BodyPace => {
  let waited = 0;
  let received = 0;
  return {
    leftMs: () => (received >= minBytes ? Infinity : windowMs - waited + 1),
    keepsUp: (waitedMs, bytes) => {
      waited += waitedMs;
      received += bytes;
      if (waited < windowMs) return true;
      const enough = received >= minBytes;
      waited = 0;
      received = 0;
      return enough;
    },
  };
};

const windowMs = 60_000;
const minBytes = 60 * 1024;

/** The error of a file that did not arrive whole; `reason` holds no secret. */
export const downloadFailed = (
  filename: string,
  reason: string,
  { endpoint, redact }: Pick<CallContext, 'endpoint' | 'redact'>,
  more: Pick<Partial<ServiceErrorFields>, 'status' | 'retry' | 'errorType' | 'sample' | 'hint'> = {},
): ServiceError =>
  serviceError('DownloadFailed', {
    message: `The file ${sampleOf(filename, 200, redact)} could not be fetched: ${reason}.`,
    endpoint,
    filename: redact(filename),
    reason,
    ...more,
  });

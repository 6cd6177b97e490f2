import * as E from 'fp-ts/lib/Either.js';
import type { ServiceError } from '../protocol/errors.js';
import { serviceError } from '../protocol/service-error.js';
import type { HttpResponse } from '../socket/platform.js';
import type { CallScope } from './call-scope.js';
import { downloadFailed } from './download-failed.js';
import { type CallContext, endedError } from './failure.js';
import type { FileContent } from './rest.js';

/** Silence after which a body is given up, unless the caller says otherwise. */
export const bodySilenceMs = 30_000;

/** What is needed to read an answer as a file. */
export interface FileContentOptions {
  readonly filename: string;
  readonly scope: CallScope;
  readonly context: CallContext;
  readonly silenceMs: number;
}

/**
 * Makes a file of an answer with status 200, its body still to come.
 *
 * Reading the body throws `DownloadFailed` when it is cut, longer or shorter than announced, or silent for `silenceMs`
 * while somebody waits for it; `Aborted` or `Closed` when the call was ended. An encoded body is refused at once: its
 * length could not be checked (docs/protocol.md, chapter 8).
 */
export const fileContent = (
  response: HttpResponse,
  options: FileContentOptions,
): E.Either<ServiceError, FileContent> => {
  const { scope, filename, context } = options;
  const { headers } = response;
  const encoding = headers['content-encoding'] ?? 'identity';
  const discard = (): void => {
    scope.release();
    response.discard();
  };
  if (encoding !== 'identity' && encoding !== '') {
    discard();
    return E.left(downloadFailed(filename, 'its body is compressed', context, response.status));
  }
  scope.hold();
  const length = headers['content-length'];
  const size = length !== undefined && /^\d+$/u.test(length) ? Number(length) : undefined;
  return E.right({
    mediaType: (headers['content-type'] ?? 'application/octet-stream').split(';', 1)[0]?.trim() ?? '',
    ...(size === undefined ? {} : { size }),
    body: chunks(response, size, options, discard),
    discard,
  });
};

async function* chunks(
  response: HttpResponse,
  size: number | undefined,
  { scope, filename, context, silenceMs }: FileContentOptions,
  discard: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const source = response.body[Symbol.asyncIterator]();
  let received = 0;
  try {
    for (;;) {
      scope.restart(silenceMs);
      const chunk = await scope.race(source.next()).catch((): never => {
        throw interrupted(scope, filename, context, silenceMs, received);
      });
      scope.hold();
      if (chunk.done === true) break;
      received += chunk.value.byteLength;
      yield chunk.value;
    }
    if (size !== undefined && received !== size) {
      throw downloadFailed(filename, `${received} of ${size} bytes came`, context);
    }
  } finally {
    discard();
  }
}

const interrupted = (
  scope: CallScope,
  filename: string,
  context: CallContext,
  silenceMs: number,
  received: number,
): ServiceError => {
  const ending = scope.ending();
  if (ending === 'aborted' || ending === 'closed') return endedError(ending, true, context);
  const how = ending === 'timeout' ? `nothing came for ${silenceMs} ms` : 'the connection was cut';
  return serviceError('DownloadFailed', {
    message: `The file ${filename} could not be fetched whole: ${how} after ${received} bytes.`,
    endpoint: context.endpoint,
    filename,
    reason: how,
  });
};

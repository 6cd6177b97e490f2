import { call } from './call.js';
import type { Handle } from './attempt.js';
import { downloadFailed } from './file-body.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { Failure } from './failure.js';
import type { FileBytes, FileContent, ViewOptions } from './rest-options.js';
import { fileContent, wholeExtent } from './file-content.js';
import { canResume, partContent, rangeOf } from './part-content.js';
import type { FileRef } from '../protocol/file-ref.js';
import type { HttpConnection } from './connection.js';
import { readRefusal } from './refusal.js';
import { redirectTarget } from '../errors/seen.js';
import { type Redact, sampleOf } from '../redaction/redact.js';
import type { ServiceError, ServiceErrorTag } from '../errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { viewEndpoint } from '../endpoints/view.js';

/**
 * Fetches one file: the service redirects to a signed address, and a bare request of the client gets the file from there.
 *
 * Any other answer is a failed download, except 200 with the bytes where `channel` or `res` was asked for, and in a dialect
 * that serves files itself. With `resume` the request asks for the rest alone, on condition that the file is still the same; a
 * storage that can't do that, or has another file by now, sends the whole. A 404 of the service or the storage is retried for
 * some seconds: the event of a job's end may arrive before its files exist; a file that may lie in another folder is looked for there first. A refusal of the account (401, 402, 403, 429)
 * keeps its own error (docs/protocol.md, chapter 8).
 */
export const view = (
  connection: HttpConnection,
  file: FileRef,
  options: ViewOptions = {},
): TaskEither<ServiceError, FileContent> => {
  const { otherType, ...known } = file;
  if (otherType === undefined) return viewOnce(connection, file, options);
  return async () => {
    for (const place of [known, { ...known, type: otherType }]) {
      const found = await viewOnce(connection, place, options, false)();
      if (E.isRight(found) || found.left.status !== 404) return found;
    }
    return viewOnce(connection, known, options)();
  };
};

const viewOnce = (
  connection: HttpConnection,
  file: FileRef,
  options: ViewOptions,
  mayAppearLate = true,
): TaskEither<ServiceError, FileContent> => {
  const { channel, res } = options;
  const isDerived = channel !== undefined || res !== undefined;
  const direct = connection.dialect.servesFiles || isDerived;
  const { resume } = options;
  const isPart = connection.dialect.servesFiles && !isDerived && resume !== undefined && canResume(resume);
  const endpoint = { ...viewEndpoint(file, { channel, res }), mayAppearLate };
  return isPart
    ? fetchFile(connection, { ...endpoint, headers: rangeOf(resume) }, file.filename, {
        ...options,
        direct,
        part: partContent,
      })
    : fetchFile(connection, endpoint, file.filename, { ...options, direct, isDerived });
};

/** How a file is fetched. */
export interface FetchOptions extends Pick<ViewOptions, 'timeoutMs' | 'signal' | 'resume'> {
  /** Whether the answer may be the file itself. */
  readonly direct: boolean;
  /** Whether the answer is a picture that was made of the file. */
  readonly isDerived?: boolean;
  /** Reads an answer that is a part of the file; without it none may be. */
  readonly part?: typeof partContent;
}

/** Fetches a file by a call that answers with it, or with a redirect to it; Left is an error of the file or of the account. */
export const fetchFile = (
  connection: HttpConnection,
  endpoint: Endpoint<unknown>,
  filename: string,
  { timeoutMs, signal, resume, direct, isDerived, part }: FetchOptions,
): TaskEither<ServiceError, FileContent> => {
  const handle: Handle<FileBytes> = async (response, scope, context) => {
    const { platform, urls, signedFile } = connection;
    const { clock } = platform;
    const silenceMs = timeoutMs ?? bodySilenceMs;
    const body = { filename, isDerived, clock, scope, context, silenceMs };
    const { status, headers } = response;
    if (direct && status === 200) return refusedIfLeft(fileContent(response, wholeExtent(response), body));
    if (status === 206 && resume && part) return refusedIfLeft(part(response, resume, body));
    if ((status === 412 || status === 416) && resume && part) {
      response.discard();
      const reason = `the service answered ${status} to the request for its rest`;
      return E.left(refused(downloadFailed(filename, reason, context, { status })));
    }
    if (status === 302 && signedFile !== undefined) {
      response.discard();
      const signed = { ...body, platform, resume, home: urls.origin, from: urls.api(endpoint.path) };
      return refusedIfLeft(await signedFile(headers['location'], signed));
    }
    if (status < 400) {
      response.discard();
      return E.left(
        refused(
          downloadFailed(filename, reasonOf(status, headers['location'], context.redact), context, {
            status,
          }),
        ),
      );
    }
    const failure = await readRefusal(connection, endpoint, response, scope, context);
    return E.left(failure);
  };

  const run = call(connection, endpoint, { timeoutMs, signal }, handle);
  return async () => {
    const content = await run();
    return E.isRight(content)
      ? E.right(readableContent(content.right))
      : E.left(asDownloadFailure(content.left, filename, endpoint, connection));
  };
};

/** How long a body may be silent, unless the caller says otherwise. */
const bodySilenceMs = 30_000;

const refused = (error: ServiceError): Failure => ({ error, delivery: 'refused' });

const refusedIfLeft = <A>(content: E.Either<ServiceError, A>): E.Either<Failure, A> =>
  E.isRight(content) ? content : E.left(refused(content.left));

const reasonOf = (status: number, location: string | undefined, redact: Redact): string => {
  if (status === 0 || status === 302)
    return 'a browser does not show where the redirect leads; let a server of yours fetch the file';
  const target = redirectTarget(location);
  const to = target === undefined ? '' : `, to ${sampleOf(target, 200, redact)},`;
  return `the service answered ${status}${to} and not with a redirect to the file by 302`;
};

/** Errors of the file itself; errors of the account, the network and the caller stay as they are. */
const ofTheFile: ReadonlySet<ServiceErrorTag> = new Set<ServiceErrorTag>([
  'BadRequest',
  'NotFound',
  'TooLarge',
  'ServerError',
  'UnexpectedStatus',
]);

const asDownloadFailure = (
  error: ServiceError,
  filename: string,
  { method, path }: Endpoint<unknown>,
  { redact, urls }: Pick<HttpConnection, 'redact' | 'urls'>,
): ServiceError => {
  if (!ofTheFile.has(error._tag)) return error;
  const { message, status, retry, errorType, sample } = error;
  const reason = message.replace(/\.$/u, '');
  return downloadFailed(
    filename,
    reason,
    { endpoint: `${method} ${path}`, redact },
    { status, retry, errorType, sample, hint: status === 404 ? urls.missingRouteHint : undefined },
  );
};

/** A file on its way that can also be read whole, or as a web stream. */
export const readableContent = (file: FileBytes): FileContent => {
  const blob = async (): Promise<Blob> => {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of file.body) chunks.push(chunk as Uint8Array<ArrayBuffer>);
    return new Blob(chunks, { type: file.mediaType });
  };
  return {
    ...file,
    blob,
    bytes: async () => new Uint8Array(await (await blob()).arrayBuffer()),
    stream: () => streamOf(file),
  };
};

/** Reads a chunk only when the stream's consumer pulls one. */
const streamOf = ({ body, discard }: FileBytes): ReadableStream<Uint8Array> => {
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const chunk = await chunks.next();
        if (chunk.done === true) controller.close();
        else controller.enqueue(chunk.value);
      },
      // A generator that never started runs no `finally`: only this closes the connection.
      cancel: discard,
    },
    { highWaterMark: 0 },
  );
};

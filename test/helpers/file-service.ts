import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { tap } from 'rxjs';
import { nodePlatform } from '../../src/core/platform/node.js';
import { nodeFiles } from '../../src/core/platform/node/files.js';
import { download } from '../../src/core/files/download.js';
import { view } from '../../src/core/http/view.js';
import { mediaTypeOfName } from '../../src/core/protocol/media-type.js';
import type { OutputFile } from '../../src/core/state/output-files.js';
import { redactor } from '../../src/core/redaction/redact.js';
import type { Platform } from '../../src/core/platform/platform.js';
import { canary, httpConnection } from './http-connection.js';
import { httpServer, type SeenRequest } from './http-server.js';

/** How the storage answers one request: a file with its habits, or something else. */
export type StorageAnswer =
  | {
      readonly bytes: Uint8Array;
      readonly etag?: string;
      /** Cuts the connection at this offset of the file, once the client has what came before. */
      readonly cutAt?: number;
      /** `announced` unless said otherwise; `chunked` and `until close` announce none. */
      readonly length?: 'announced' | 'chunked' | 'until close';
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly status: number; readonly body?: string };

/** A service that redirects each view to a storage of its own, both on loopback. */
export interface FileService extends AsyncDisposable {
  /** How often a signed address was asked for. */
  readonly views: () => number;
  /** What the storage was asked. */
  readonly asked: readonly SeenRequest[];
  readonly view: (file: { readonly filename: string }) => ReturnType<typeof view>;
  readonly save: ReturnType<typeof download>;
  /** Resolves when every answer of the storage was taken whole or its connection is gone. */
  readonly answered: () => Promise<void>;
}

/** Lets the storage know how far its client is. */
interface Progress {
  received: number;
  waiting: { readonly from: number; readonly go: () => void }[];
}

/** Starts a {@link FileService}; `answer` gets the number of the request, from 1. Waits between tries take no time. */
export const fileService = async (
  answer: (nth: number, seen: SeenRequest) => StorageAnswer,
  more: Partial<Platform> = {},
): Promise<FileService> => {
  const progress: Progress = { received: 0, waiting: [] };
  const answers: Promise<unknown>[] = [];
  const storage = await httpServer((seen, response) => {
    answers.push(once(response, 'close'));
    send(answer(storage.seen.length, seen), seen, response, progress);
  });
  const service = await httpServer((_, response) => {
    response.writeHead(302, { location: `${storage.origin}/signed/${service.seen.length}?sig=secret` }).end();
  });
  const own = nodePlatform();
  const platform: Platform = { ...own, random: () => 0, files: nodeFiles, ...more };
  const connection = httpConnection(platform, { baseUrl: service.origin });
  const save = download({
    platform,
    view: (file, options) => view(connection, file, options),
    redact: redactor([canary]),
  });
  return {
    views: () => service.seen.length,
    asked: storage.seen,
    view: (file) => view(connection, file),
    save: (...args) =>
      save(...args).pipe(
        tap(({ receivedBytes }) => {
          progress.received = receivedBytes;
          for (const { from, go } of progress.waiting) if (receivedBytes >= from) go();
        }),
      ),
    answered: async () => {
      await Promise.all(answers);
    },
    [Symbol.asyncDispose]: async () => {
      await own.close();
      await service[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
    },
  };
};

/** A file of this name. */
export const outputNamed = (filename: string, nodeId = '9'): OutputFile => ({
  nodeId,
  filename,
  subfolder: '',
  type: 'output',
  mediaType: mediaTypeOfName(filename) ?? 'application/octet-stream',
});

/** `length` bytes that begin like a PNG and repeat nowhere in a way that a wrong splice could hide behind. */
export const pngBytes = (length: number, seed = 1): Uint8Array => {
  const bytes = Uint8Array.from({ length }, (_, at) => ((at * 2654435761 + seed * 40503) >>> 13) & 255);
  bytes.set([0x89, 0x50, 0x4e, 0x47].slice(0, length));
  return bytes;
};

const send = (
  answer: StorageAnswer,
  { headers }: SeenRequest,
  response: ServerResponse,
  progress: Progress,
): void => {
  if ('status' in answer) {
    response.writeHead(answer.status).end(answer.body ?? '');
    return;
  }
  const { bytes, etag, cutAt, length = 'announced' } = answer;
  const [, from] = /^bytes=(\d+)-$/u.exec(String(headers['range'])) ?? [];
  const start = from !== undefined && etag !== undefined && headers['if-range'] === etag ? Number(from) : 0;
  const body = bytes.subarray(start);
  if (etag !== undefined) response.setHeader('etag', etag);
  if (start > 0) response.setHeader('content-range', `bytes ${start}-${bytes.length - 1}/${bytes.length}`);
  if (length === 'announced') response.setHeader('content-length', body.length);
  if (length === 'until close') response.useChunkedEncodingByDefault = false;
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  response.writeHead(start > 0 ? 206 : 200);
  if (cutAt === undefined || cutAt < start) {
    response.end(body);
    return;
  }
  const cut = (): void => void response.destroy();
  response.flushHeaders();
  response.write(body.subarray(0, cutAt - start), () => {
    if (progress.received >= cutAt) setImmediate(cut);
    else progress.waiting.push({ from: cutAt, go: cut });
  });
};

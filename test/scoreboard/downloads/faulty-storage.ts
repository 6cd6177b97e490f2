import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { canaries } from '../../helpers/canaries.js';
import { httpServer, type SeenRequest } from '../../helpers/http-server.js';
import type { AnswerFault, DownloadRun, AnnouncedLength, StoredVersion } from './draw-download.js';
import type { RunClock } from './run-clock.js';

/** What the storage did in one run: the truth that the client can't see. */
export interface StorageLog {
  readonly run: DownloadRun;
  readonly clock: RunClock;
  /** Requests to the storage. */
  asked: number;
  /** Answers after which a client has to ask again. */
  spoiled: number;
  /** The version of the last answer that had bytes of one. */
  last: StoredVersion | undefined;
  /** The last answer ended too early, and nothing in it showed that; a reset may, where the system lets it be seen. */
  cutUnseen: boolean;
  /** The last answer announced its length. */
  isLengthAnnounced: boolean;
  /** Sizes that were announced, by name of the bytes. */
  readonly toldSizes: Map<string, number>;
  /** Answers that have arrived at the client. */
  arrived: number;
}

/** A service at `/r/SEED` for each run, and its storage, on one loopback server. */
export interface FaultyStorage extends AsyncDisposable {
  readonly baseUrl: (seed: number) => string;
  readonly begin: (run: DownloadRun, clock: RunClock) => StorageLog;
}

/** Starts a {@link FaultyStorage}. */
export const faultyStorage = async (): Promise<FaultyStorage> => {
  const logs = new Map<number, StorageLog>();
  const server = await httpServer((seen, response) => {
    server.seen.length = 0;
    const [, seed = '', path = ''] = /^\/r\/(\d+)\/(\w+)/u.exec(seen.url) ?? [];
    const log = logs.get(Number(seed));
    if (log === undefined) response.writeHead(404).end();
    else if (path === 'api')
      response
        .writeHead(302, {
          location: `${server.origin}/r/${seed}/signed?sig=${log.asked}&X-Amz-Signature=${encodeURIComponent(canaries.signature)}`,
        })
        .end();
    else answer(log, seen, response);
  });
  // Only faults end connections here.
  server.server.keepAliveTimeout = 0;
  return {
    baseUrl: (seed) => `${server.origin}/r/${seed}`,
    begin: (run, clock) => {
      const log: StorageLog = {
        run,
        clock,
        asked: 0,
        spoiled: 0,
        last: undefined,
        cutUnseen: false,
        isLengthAnnounced: false,
        toldSizes: new Map(),
        arrived: 0,
      };
      logs.set(run.seed, log);
      return log;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

const answer = (log: StorageLog, { headers }: SeenRequest, response: ServerResponse): void => {
  const { run } = log;
  const nth = (log.asked += 1);
  const version = run.versions[nth - 1 >= run.changesAt ? 1 : 0]!;
  const fault = run.faults[nth - 1];
  const { bytes, etag } = version;
  const [, from] = /^bytes=(\d+)-$/u.exec(String(headers['range'])) ?? [];
  const named = headers['if-range'];
  const start =
    from === undefined || run.wholeOnly || (named !== undefined && named !== etag) ? undefined : Number(from);

  if (etag !== undefined) response.setHeader('etag', etag);
  Object.assign(log, { last: undefined, cutUnseen: false, isLengthAnnounced: false });
  if (start !== undefined && start >= bytes.length) {
    log.spoiled += 1;
    response.writeHead(416).end();
    return;
  }
  const good = (): void => send(log, response, { version, start, length: run.length });
  if (fault === undefined) good();
  else if (fault.do === 'wrong part' && start === undefined) good();
  else if (fault.do === 'cut' && fault.length === 'until close') {
    log.cutUnseen = true;
    send(log, response, { version, start, ...fault });
  } else {
    log.spoiled += 1;
    spoil(log, response, fault, version, start, nth);
  }
};

const spoil = (
  log: StorageLog,
  response: ServerResponse,
  fault: AnswerFault,
  version: StoredVersion,
  start: number | undefined,
  nth: number,
): void => {
  switch (fault.do) {
    case 'expire':
    case 'fail':
      response.writeHead(fault.status).end('<Error><Code>ExpiredToken</Code></Error>');
      return;
    case 'wrong body':
      response.removeHeader('etag');
      response.writeHead(200, { 'content-length': Buffer.byteLength(fault.text) }).end(fault.text);
      return;
    case 'gzip': {
      const packed = gzipSync(version.bytes);
      const body = packed.subarray(0, Math.floor(packed.length * fault.at));
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body);
      return;
    }
    case 'cut':
      send(log, response, { version, start, ...fault });
      return;
    case 'wrong part':
      sendWrongPart(log, response, fault.how, version, start ?? 0);
      return;
    case 'drip':
      void trickle(log, response, { version, start, length: 'announced' }, { nth, drips: true, at: 0 });
      return;
    case 'stall':
      if (fault.at < 0) log.clock.advance(61_000);
      else
        void trickle(
          log,
          response,
          { version, start, length: 'announced' },
          { nth, drips: false, at: fault.at },
        );
  }
};

/** What is sent of a version. */
interface Sent {
  readonly version: StoredVersion;
  readonly start: number | undefined;
  readonly length: AnnouncedLength;
}

const send = (
  log: StorageLog,
  response: ServerResponse,
  { at, how, ...sent }: Sent & { readonly at?: number; readonly how?: 'fin' | 'rst' },
): void => {
  const body = writeHead(log, response, sent);
  if (at === undefined) {
    response.end(body);
    return;
  }
  response.flushHeaders();
  response.write(body.subarray(0, Math.floor(at * body.length)), () => {
    if (how === 'rst') response.socket?.resetAndDestroy();
    else response.socket?.end();
  });
};

const writeHead = (
  log: StorageLog,
  response: ServerResponse,
  { version, start, length }: Sent,
): Uint8Array => {
  const { bytes, etag = '' } = version;
  const body = bytes.subarray(start ?? 0);
  log.last = version;
  log.isLengthAnnounced = length === 'announced' || start !== undefined;
  if (log.isLengthAnnounced) log.toldSizes.set(etag, bytes.length);
  if (start !== undefined)
    response.setHeader('content-range', `bytes ${start}-${bytes.length - 1}/${bytes.length}`);
  if (length === 'announced') response.setHeader('content-length', body.length);
  if (length === 'until close') response.useChunkedEncodingByDefault = false;
  response.writeHead(start === undefined ? 200 : 206);
  return body;
};

const sendWrongPart = (
  log: StorageLog,
  response: ServerResponse,
  how: 'early' | 'late' | 'short' | 'other name',
  { bytes, etag = '' }: StoredVersion,
  start: number,
): void => {
  // Who never heard a size can't know that this one is smaller.
  const isShort = how === 'short' && log.toldSizes.has(etag) && bytes.length - start > 1;
  const first =
    how === 'early' || (how === 'short' && !isShort) ? start - 1 : how === 'late' ? start + 1 : start;
  const end = isShort ? bytes.length - 1 : bytes.length;
  if (how === 'other name') response.setHeader('etag', '"another"');
  const body = bytes.subarray(first, end);
  response.setHeader('content-range', `bytes ${first}-${end - 1}/${end}`);
  response.writeHead(206, { 'content-length': body.length }).end(body);
};

/** Sends next to nothing, and lets time pass, until the client has had enough. */
const trickle = async (
  log: StorageLog,
  response: ServerResponse,
  what: Sent,
  { nth, drips, at }: { readonly nth: number; readonly drips: boolean; readonly at: number },
): Promise<void> => {
  const body = writeHead(log, response, what);
  let sent = Math.floor(at * body.length);
  response.flushHeaders();
  if (sent > 0) response.write(body.subarray(0, sent));
  while (!response.closed && !response.destroyed) {
    await new Promise((resolve) => setImmediate(resolve));
    if (log.arrived < nth) continue;
    if (drips && sent < body.length - 1) response.write(body.subarray(sent, (sent += 1)));
    log.clock.advance(1_000);
  }
};

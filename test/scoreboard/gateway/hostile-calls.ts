import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { textToImageWorkflow } from '../../../src/emulator.js';

/** A gateway, as one of its callers sees it, with a job of that caller, the path of its output, and a template that is as large as may be. */
export interface Victim {
  readonly base: string;
  readonly token: string;
  readonly job: string;
  readonly output: string;
  readonly template: string;
}

/** One way to be a burden: what is sent, and for how long the connection stays. */
export interface HostileCall {
  /** How many of these are open at once, at full strength. */
  readonly atOnce: number;
  readonly head: (victim: Victim) => string;
  /** Default none. */
  readonly body?: () => string | Uint8Array;
  /** The length that the head tells; default that of the body. */
  readonly tells?: number;
  /** Default until it is answered. */
  readonly holdMs?: number;
  /** How the answer is read: `trickle` takes a kilobyte now and then. Default as it comes. */
  readonly reads?: 'nothing' | 'trickle';
}

const mebi = 2 ** 20;
const holdMs = 10_000;
/** After each piece that has come, which is some dozens of kilobytes at most. */
const trickleMs = 2_000;
const json = 'content-type: application/json';
const jobs = (more = ''): string => `POST /api/v2/jobs HTTP/1.1\r\n${json}\r\n${more}`;
const submissionOf = (inputs: string, more = ''): string =>
  `{"workflow":{"1":{"class_type":"SaveImage","inputs":${inputs}}}${more}}`;
const smallJob = (seed: number): string =>
  JSON.stringify({ workflow: textToImageWorkflow({ steps: 1, width: 64, height: 64, seed }) });
const deep = (depth: number): string => `${'['.repeat(depth)}9007199254740993${']'.repeat(depth)}`;
const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
};
/** Each takes four bytes of a body, and two of the text. */
const escapes = '\\n\\"';
let submissions = 0;
/** As many as a search may have. */
const manyWords = Array.from({ length: 100 }, (_, nth) =>
  encodeURIComponent(String.fromCodePoint(0x3b1 + nth)),
).join('+');

/** What a hostile caller does, all at the same time. */
export const hostileCalls: Readonly<Record<string, HostileCall>> = {
  'bodies that crawl': {
    ...{ atOnce: 40, head: () => jobs(), body: once(() => ' '.repeat(7 * mebi)), tells: 8 * mebi, holdMs },
  },
  'bodies broken off': {
    ...{ atOnce: 4, head: () => jobs(), body: once(() => ' '.repeat(mebi)), tells: 4 * mebi, holdMs: 500 },
  },
  'largest bodies': {
    ...{ atOnce: 2, head: () => jobs() },
    body: once(() => submissionOf(`{"a":"${escapes.repeat(3.9 * mebi)}"}`)),
  },
  'bodies too large': { atOnce: 2, head: () => jobs(), body: once(() => ' '.repeat(20 * mebi)) },
  'packed bodies': {
    atOnce: 2,
    head: () => jobs('content-encoding: gzip\r\n'),
    body: once(() => gzipSync(Buffer.alloc(64 * mebi))),
  },
  'deep bodies': { atOnce: 2, head: () => jobs(), body: once(() => submissionOf(`{"a":${deep(3_000)}}`)) },
  'deep extra data': {
    atOnce: 2,
    head: () => jobs(),
    body: once(() => submissionOf('{}', `,"extra_data":{"a":${deep(30_000)}}`)),
  },
  // The node whose id that is makes pictures, which have an address.
  'half surrogates': {
    ...{ atOnce: 2, head: () => jobs(), body: once(() => smallJob(1).replaceAll('"3"', '"\\ud83d"')) },
  },
  'half surrogates in texts': {
    atOnce: 2,
    head: () => jobs(),
    body: () => submissionOf('{"text":"\\udc00"}', ',"metadata":{"\\ud83d":"\\ud83d"}'),
  },
  'a flood of jobs': {
    atOnce: 4,
    head: () => jobs(),
    body: () => smallJob((submissions += 1)),
  },
  streams: { atOnce: 60, head: () => 'GET /events HTTP/1.1\r\naccept: text/event-stream\r\n', holdMs },
  'readers that read nothing': {
    atOnce: 40,
    head: ({ job }) => `GET /jobs/${job}/events?from=start HTTP/1.1\r\naccept: text/event-stream\r\n`,
    ...{ holdMs, reads: 'nothing' },
  },
  'streams that trickle': {
    atOnce: 50,
    head: () => 'GET /events HTTP/1.1\r\naccept: application/x-ndjson\r\n',
    ...{ holdMs, reads: 'trickle' },
  },
  'large answers that nobody reads': {
    atOnce: 150,
    head: ({ template }) => `GET ${template} HTTP/1.1\r\n`,
    ...{ holdMs, reads: 'nothing' },
  },
  'large answers that trickle': {
    atOnce: 50,
    head: ({ template }) => `GET ${template} HTTP/1.1\r\n`,
    ...{ holdMs, reads: 'trickle' },
  },
  'jobs of a large template': {
    ...{ atOnce: 20, head: ({ template }) => `POST ${template} HTTP/1.1\r\n${json}\r\n` },
    body: () => JSON.stringify({ inputs: { nothing: (submissions += 1) } }),
  },
  'searches of many words': {
    ...{ atOnce: 20, head: () => `GET /jobs?limit=100&text=${manyWords} HTTP/1.1\r\n` },
  },
  'downloads that nobody reads': {
    atOnce: 150,
    head: ({ output }) => `GET ${output} HTTP/1.1\r\n`,
    ...{ holdMs, reads: 'nothing' },
  },
  'sockets that want another protocol': {
    atOnce: 20,
    head: () => 'GET /events HTTP/1.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n',
    ...{ holdMs, reads: 'nothing' },
  },
  'uploads that stall': {
    atOnce: 10,
    head: () => 'POST /uploads?filename=a.png HTTP/1.1\r\ncontent-type: image/png\r\n',
    ...{ body: once(() => 'x'.repeat(mebi)), tells: 200 * mebi, holdMs },
  },
  'open sockets': { atOnce: 200, head: () => 'GET / HT', holdMs },
  'odd addresses': { atOnce: 2, head: () => 'GET /jobs/%ff%00%ED%A0%80/../events?after=%FF HTTP/1.1\r\n' },
};

/** Makes such a call; resolves with the status of the answer, if there was one, once the connection has ended. */
export const callOnce = (call: HostileCall, victim: Victim): Promise<number | undefined> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(victim.base);
    const socket = connect(Number(port), hostname);
    let status: number | undefined;
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(status);
    };
    const timer = setTimeout(end, call.holdMs ?? 30_000);
    socket.on('error', end).on('close', end);
    socket.on('connect', () => {
      const head = call.head(victim);
      const body = Buffer.from(call.body?.() ?? '');
      const length = call.tells ?? body.length;
      // What is cut in the middle stays so.
      socket.write(
        head.endsWith('\r\n')
          ? `${head}host: gateway\r\nauthorization: Bearer ${victim.token}\r\ncontent-length: ${length}\r\n\r\n`
          : head,
      );
      socket.write(body);
    });
    if (call.reads === 'nothing') return;
    socket.on('data', (bytes) => {
      status ??= Number(/^HTTP\/1\.1 (\d{3})/u.exec(bytes.toString('latin1'))?.[1] ?? 0);
      if (call.reads === 'trickle') {
        socket.pause();
        setTimeout(() => socket.resume(), trickleMs);
      }
      if (call.holdMs === undefined) end();
    });
  });

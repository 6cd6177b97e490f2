import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { WebSocketServer } from 'ws';
import { answering } from '../tools/answering.js';
import type { Load, SenderQuestion } from '../tools/sender.js';
import { mebibyte } from '../tools/sizes.js';
import {
  inFrame,
  message,
  namedPreviewBytes,
  previewBytes,
  previewEvent,
  progressStateText,
  progressText,
  promptIdOf,
} from '../tools/wire.js';

/**
 * Feeds sockets with messages that were made before: it writes them as they are, whole, so that it is never what the
 * readers wait for. Each way of a benchmark has its own path, `/NAME/…`; jobs are accepted and never end by themselves.
 */
const connections = new Map<string, Writable>();
const accepted = new Map<string, number>();
/** Higher in each message, so that each is news to its job. */
let step = 0;

/** One peer opens no path but `/ws`, and is known by its client id. */
const nameOf = (request: IncomingMessage): string => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  return pathname === '/ws' ? (searchParams.get('clientId') ?? '') : (pathname.split('/')[1] ?? '');
};

const server = createServer((request, response) => {
  const path = request.url ?? '';
  if (path.includes('/events')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    connections.set(nameOf(request), response);
  } else if (request.method === 'POST') {
    const index = accepted.get(nameOf(request)) ?? 0;
    accepted.set(nameOf(request), index + 1);
    request.resume();
    answer(response, 200, { prompt_id: promptIdOf(index), number: index, node_errors: {} });
  } else if (path.includes('/job/')) answer(response, 200, { status: 'in_progress' });
  else answer(response, 404, {});
});

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket, request) => {
  socket.on('error', () => undefined);
  connections.set(nameOf(request), request.socket);
});

const listening = new Promise<number>((resolve) => {
  server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
});

/** Few large writes: pieces of about 1 MiB. */
const pieceSize = mebibyte;

interface Prepared {
  readonly pieces: readonly Buffer[];
  readonly times: number;
  readonly last?: () => Buffer;
}

const make = (load: Load): Prepared => {
  switch (load.kind) {
    case 'progress':
      return inPieces(load.count, (index) =>
        inFrame(progressText(promptIdOf(index % load.jobs), (step += 1))),
      );
    case 'progress_state':
      return inPieces(load.count, (index) =>
        inFrame(progressStateText(promptIdOf(index % load.jobs), (step += 1), load.nodes)),
      );
    case 'preview':
      return repeated(load.count, inFrame(previewBytes(load.size)));
    case 'events':
      return repeated(load.count, previewEvent(load.size));
    case 'named preview':
      return inPieces(load.count, (index) =>
        inFrame(namedPreviewBytes(promptIdOf(index % load.jobs), load.size)),
      );
    case 'mixture':
      return inPieces(load.count, (index) => {
        const promptId = promptIdOf(Math.floor(index / 3) % load.jobs);
        if (index % 3 === 0) return inFrame(namedPreviewBytes(promptId, load.size));
        step += 1;
        return inFrame(
          index % 3 === 1 ? progressStateText(promptId, step, 20) : progressText(promptId, step),
        );
      });
    case 'a job of pictures':
      return {
        ...repeated(load.count, inFrame(namedPreviewBytes(promptIdOf(0), load.size))),
        last: () =>
          inFrame(message('execution_success', { prompt_id: promptIdOf(0), timestamp: Date.now() })),
      };
  }
};

const inPieces = (count: number, frameOf: (index: number) => Buffer): Prepared => {
  const pieces: Buffer[] = [];
  let frames: Buffer[] = [];
  let size = 0;
  for (let index = 0; index < count; index += 1) {
    const frame = frameOf(index);
    frames.push(frame);
    size += frame.length;
    if (size >= pieceSize || index + 1 === count) {
      pieces.push(Buffer.concat(frames));
      frames = [];
      size = 0;
    }
  }
  return { pieces, times: 1 };
};

const repeated = (count: number, frame: Buffer): Prepared => {
  let together = Math.max(1, Math.floor(pieceSize / frame.length));
  while (count % together !== 0) together -= 1;
  const piece = Buffer.concat(Array.from({ length: together }, () => frame));
  return { pieces: [piece], times: count / together };
};

const send = async (to: string, { pieces, times, last }: Prepared): Promise<void> => {
  const connection = connections.get(to);
  if (connection === undefined) throw new Error(`nobody is connected as ${to}`);
  for (let time = 0; time < times; time += 1) {
    for (const piece of pieces) {
      if (!connection.write(piece)) {
        await new Promise((resolve) => connection.once('drain', resolve));
      }
    }
  }
  if (last !== undefined) connection.write(last());
};

let ready: { readonly to: string; readonly prepared: Prepared } | undefined;

answering(async (question: SenderQuestion | 'go') => {
  if (question === 'port') return listening;
  if (question === 'go') {
    if (ready !== undefined) await send(ready.to, ready.prepared);
    return undefined;
  }
  ready = { to: question.to, prepared: make(question.load) };
  return undefined;
});

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { encodeMessage, encodePreviewWithMetadata } from '../../helpers/encode-frame.js';
import { lifecycle, outputs } from './lifecycle.js';

/**
 * A service in a process of its own whose jobs send pictures as fast as the line takes them, or so many a second: of every other
 * job, the first one included, only a few, so that each client can warm up. The time in `execution_success` is that of its sending.
 */
const [previews = '0', bytes = '0', perSecond = 'Infinity'] = process.argv.slice(2);
const batch = 20;
const batchMs = (1_000 * batch) / Number(perSecond);

let jobs = 0;
let socket: WebSocket | undefined;
const ended = new Set<string>();

const server = createServer((request, response) => {
  const id = /\/(?:job|history_v2)\/([^/]+)/u.exec(request.url ?? '')?.[1] ?? '';
  if (request.method === 'POST') {
    request.resume();
    jobs += 1;
    const promptId = `00000000-0000-4000-8000-${String(jobs).padStart(12, '0')}`;
    json(response, { prompt_id: promptId, number: jobs, node_errors: {} });
    void run(promptId, jobs % 2 === 1 ? 20 : Number(previews));
  } else if (request.url?.endsWith('/status') === true) {
    json(response, { status: ended.has(id) ? 'completed' : 'in_progress' });
  } else {
    json(response, {
      outputs,
      status: { status_str: 'success', completed: true },
    });
  }
});

const json = (response: ServerResponse, body: object): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const run = async (promptId: string, count: number): Promise<void> => {
  const steps = lifecycle(promptId);
  for (const [at, { type, data }] of steps.entries()) {
    const isLast = at === steps.length - 1;
    if (isLast) ended.add(promptId);
    await send(encodeMessage(type, isLast ? { ...data, timestamp: Date.now() } : data));
    const between =
      Math.floor(((at + 1) * count) / (steps.length - 1)) - Math.floor((at * count) / (steps.length - 1));
    for (let nth = 0; nth < between && !isLast; nth += 1) {
      await send(previewOf(promptId, data.node ?? '1'));
      if (batchMs > 0 && nth % batch === batch - 1) await setTimeout(batchMs);
    }
  }
};

/** Resolves when the line has taken it. */
const send = (message: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => socket?.send(message, () => resolve()));

const previewOf = (promptId: string, node: string): Uint8Array =>
  encodePreviewWithMetadata(
    { node_id: node, display_node_id: node, prompt_id: promptId, image_type: 'image/jpeg' },
    picture,
  );

const picture = Buffer.alloc(Number(bytes), 7);
picture.set([0xff, 0xd8, 0xff, 0xe0]);

new WebSocketServer({ server }).on('connection', (opened) => {
  socket = opened;
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('disconnect', () => process.exit());

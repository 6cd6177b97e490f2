import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import type { SocketPlan } from '../faults/socket-plan.js';
import type { SocketBook } from '../ledger/books.js';
import { webSocketOutlet } from '../sockets/outlet.js';
import type { World } from '../world.js';
import type { Answer } from './answer.js';
import { breakOff } from './exchange.js';
import type { Recorder } from './recorder.js';
import { requestUrl } from './api-server.js';

/** What opens sockets, and what keeps count of them. */
export interface UpgradeOptions {
  readonly world: World;
  readonly recorder: Recorder;
  readonly sockets: WebSocketServer;
  readonly book: SocketBook;
  /** The status with which all sockets are refused at the moment. */
  readonly refusedWith: () => number | undefined;
  /** What goes wrong with the next handshake. */
  readonly plan: () => SocketPlan;
}

/** Opens sockets as the world admits them, or refuses them with a status; scripts and faults are asked first. */
export const upgradeListener = ({
  world,
  recorder,
  sockets,
  book,
  refusedWith,
  plan: nextPlan,
}: UpgradeOptions): ((request: IncomingMessage, stream: Duplex, head: Buffer) => void) => {
  const headersOf = new WeakMap<IncomingMessage, SocketPlan['headers']>();
  sockets.on('headers', (lines, request) => {
    for (const [name, value] of Object.entries(headersOf.get(request) ?? {})) lines.push(`${name}: ${value}`);
  });
  return (request, stream, head) => {
    recorder.record('api', request);
    stream.on('error', () => stream.destroy());
    const url = requestUrl(request);
    const scripted = recorder.take('GET', url.pathname);
    if (scripted?.cut) {
      stream.destroy();
      return;
    }
    const plan = nextPlan();
    const fault = plan.handshake;
    if (fault?.do === 'cut' || fault?.do === 'stall') {
      breakOff(stream, fault.do === 'stall' ? 'stall' : (fault.how ?? 'rst'));
      return;
    }
    const status = refusedWith();
    const refused = scripted ?? (status === undefined ? asAnswer(fault) : { status });
    const verdict = refused ?? world.admit(request, url);
    if ('status' in verdict) {
      refuse(stream, verdict);
      return;
    }
    headersOf.set(request, plan.headers);
    const wire = plan.stream(stream);
    sockets.handleUpgrade(request, wire, head, (socket) => {
      const outlet = book.open(url.searchParams.get('clientId'), webSocketOutlet(socket));
      verdict.welcome(plan.outlet(outlet, { socket, wire, connection: stream }));
    });
  };
};

const asAnswer = (
  fault: Exclude<SocketPlan['handshake'], { readonly do: 'cut' | 'stall' }>,
): Answer | undefined =>
  fault?.do === 'redirect' ? { status: fault.status ?? 302, headers: { location: fault.location } } : fault;

const refuse = (stream: Duplex, { status, headers, body = '' }: Answer): void => {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries({ 'content-type': 'application/json; charset=utf-8', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ];
  stream.write(`${lines.join('\r\n')}\r\n\r\n`);
  stream.end(body);
};

import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import type { SocketPlan } from '../faults/socket-plan.js';
import { clientSocket, type SocketLedger } from '../sockets/client-socket.js';
import type { Backend } from '../backend.js';
import type { Answer } from '../http/answer.js';
import { abortConnection } from '../http/abort-connection.js';
import type { Recorder } from './recorder.js';
import { below, requestUrl } from './api-server.js';

/** Options of {@link upgradeListener}. */
export interface UpgradeOptions {
  readonly backend: Backend;
  readonly recorder: Recorder;
  readonly sockets: WebSocketServer;
  readonly ledger: SocketLedger;
  /** The status with which all sockets are currently refused. */
  readonly refusedWith: () => number | undefined;
  /** The plan of the next handshake. */
  readonly plan: () => SocketPlan;
  /** Path below which the API is mounted; empty for none. */
  readonly basePath: string;
}

/** Opens the sockets that the backend accepts and refuses others with a status; scripts and faults come first. */
export const upgradeListener = ({
  backend,
  recorder,
  sockets,
  ledger,
  refusedWith,
  plan: nextPlan,
  basePath,
}: UpgradeOptions): ((request: IncomingMessage, stream: Duplex, head: Buffer) => void) => {
  const headersOf = new WeakMap<IncomingMessage, SocketPlan['headers']>();
  sockets.on('headers', (lines, request) => {
    for (const [name, value] of Object.entries(headersOf.get(request) ?? {})) lines.push(`${name}: ${value}`);
  });
  return (request, stream, head) => {
    recorder.record('api', request);
    stream.on('error', () => stream.destroy());
    const url = below(basePath, requestUrl(request));
    const scripted = recorder.take('GET', url.pathname);
    if (scripted?.cut) {
      stream.destroy();
      return;
    }
    const plan = nextPlan();
    const fault = plan.handshake;
    if (fault?.do === 'cut' || fault?.do === 'stall') {
      abortConnection(stream, fault.do === 'stall' ? 'stall' : (fault.how ?? 'rst'));
      return;
    }
    const status = refusedWith();
    const refused = scripted ?? (status === undefined ? asAnswer(fault) : { status });
    const outcome = refused ?? backend.acceptSocket(request, url);
    if ('status' in outcome) {
      refuse(stream, outcome);
      return;
    }
    headersOf.set(request, plan.headers);
    const wire = plan.stream(stream);
    sockets.handleUpgrade(request, wire, head, (socket) => {
      const client = ledger.open(url.searchParams.get('clientId'), clientSocket(socket));
      outcome.onOpen(plan.client(client, { socket, wire, connection: stream }));
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

import type { RawData, WebSocket } from 'ws';
import type { ServiceMessage } from '../messages.js';
import type { Settings } from '../settings.js';
import { encodeEvent, encodePlainPreview, encodePreview, encodeText } from '../wire.js';
import { noFlags, type ClientFlags } from './client-flags.js';
import { answerHandshake } from './handshake.js';

/** The open sockets of one account: each of them gets everything. */
export interface Hub {
  /** Takes over an open socket; `greeting` is sent to it before anything else. */
  readonly add: (socket: WebSocket, greeting: ServiceMessage) => void;
  readonly send: (message: ServiceMessage) => void;
  readonly sockets: ReadonlyMap<WebSocket, ClientFlags>;
}

/** Everything that leaves for a socket goes through here, so that a row which is switched off stays silent. */
export const createHub = (settings: Settings): Hub => {
  const sockets = new Map<WebSocket, ClientFlags>();

  const add = (socket: WebSocket, greeting: ServiceMessage): void => {
    sockets.set(socket, noFlags);
    let first = true;
    socket.on('message', (data: RawData, isBinary: boolean) => {
      if (!first || isBinary) return;
      const outcome = answerHandshake(rawText(data), settings);
      first = outcome === 'not a message';
      if (typeof outcome === 'string') return;
      sockets.set(socket, outcome.flags);
      socket.send(outcome.answer);
    });
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.terminate());
    for (const wire of encode(greeting, settings)(noFlags)) socket.send(wire);
  };

  const send = (message: ServiceMessage): void => {
    if (sockets.size === 0) return;
    const encoded = encode(message, settings);
    for (const [socket, flags] of sockets) {
      if (socket.readyState !== socket.OPEN) continue;
      for (const wire of encoded(flags)) socket.send(wire);
    }
  };

  return { add, send, sockets };
};

type Encoded = (flags: ClientFlags) => readonly (string | Uint8Array)[];

const silence: Encoded = () => [];

/** Encodes a message once for all sockets, and not before one of them wants it. */
const encode = (message: ServiceMessage, { has, switches }: Settings): Encoded => {
  if (message.kind === 'event') {
    const rows: ReadonlySet<string> = knownEvents;
    if (rows.has(message.type) && !has(`event:${message.type as EventName}`)) return silence;
    const wire = [encodeEvent(message.type, message.data)];
    return () => wire;
  }
  if (message.kind === 'preview') {
    const { layout, metadata, picture } = message;
    if (!has(`binary:${layout}`)) return silence;
    const wire = once(() => [
      layout === 4 ? encodePreview(metadata, picture()) : encodePlainPreview(picture()),
    ]);
    return (flags) => (flags.previewMetadata === (layout === 4) ? wire() : []);
  }
  if (!has('binary:3')) return silence;
  const { nodeId, text, promptId } = message;
  const older = once(() => [encodeText(nodeId, text)]);
  const newer = once(() => [encodeText(nodeId, text, promptId)]);
  return (flags) => (switches.promptText && flags.promptText ? newer() : older());
};

const knownEvents = new Set([
  'status',
  'notification',
  'execution_start',
  'execution_cached',
  'executing',
  'progress',
  'progress_state',
  'executed',
  'execution_success',
  'execution_error',
  'execution_interrupted',
] as const);

type EventName = typeof knownEvents extends Set<infer Name> ? Name : never;

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined;
  return () => (made ??= { value: make() }).value;
};

const rawText = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)).toString('utf8');

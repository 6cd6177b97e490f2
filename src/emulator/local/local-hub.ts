import { answerHandshake, serverFlags } from '../sockets/hub.js';
import { type ClientFlags, encodeEvent, encodeMessage, noFlags } from '../sockets/encode-message.js';
import type { EventInterceptor } from '../faults/event-interceptor.js';
import type { LocalJob } from './run-local-job.js';
import type { ClientSocket } from '../sockets/client-socket.js';
import { pythonJson } from './python.js';
import type { ServiceMessage } from '../messages.js';
import type { Settings } from '../settings.js';

/** Whom a message is for: the socket with this client id, or all of them, whatever flags they have. */
type Recipient = 'everybody' | { readonly clientId: unknown };

/** The open sockets of the local server, one a client id. */
export interface LocalHub {
  /** Takes over an open socket as the one of this client id, whoever had it before. */
  readonly add: (clientId: string, client: ClientSocket, greetings: readonly ServiceMessage[]) => void;
  readonly send: (message: ServiceMessage, to: Recipient) => void;
  /** True where the flags that a client announced are no object, which breaks its previews. */
  readonly hasBrokenFlags: (clientId: unknown) => boolean;
}

/**
 * A newer socket with the same client id takes the connection of the older one, which stays open and hears nothing more.
 * Whichever socket closes takes the connection with it, even where it belongs to a newer one by then: that one is deaf from
 * there on.
 */
export const createLocalHub = (settings: Settings, intercept: EventInterceptor): LocalHub => {
  const connections = new Map<unknown, { readonly client: ClientSocket; flags: ClientFlags | 'broken' }>();

  const add: LocalHub['add'] = (clientId, client, greetings) => {
    const connection = { client, flags: noFlags as ClientFlags | 'broken' };
    connections.set(clientId, connection);
    let first = true;
    client.onText((text) => {
      if (!first) return;
      const outcome = localHandshake(text, settings);
      first = outcome === 'not a message';
      if (typeof outcome === 'string') return;
      connection.flags = outcome.flags;
      client.send(outcome.answer);
    });
    client.onClose(() => connections.delete(clientId));
    for (const greeting of greetings)
      for (const wire of encodeMessage(greeting, settings, pythonJson)(noFlags)) client.send(wire);
  };

  const deliver = (message: ServiceMessage, to: Recipient): void => {
    if (connections.size === 0) return;
    const encoded = encodeMessage(message, settings, pythonJson);
    if (to === 'everybody') {
      for (const { client } of connections.values()) for (const wire of encoded(noFlags)) client.send(wire);
      return;
    }
    const connection = connections.get(to.clientId);
    if (!connection) return;
    const flags = connection.flags === 'broken' ? noFlags : connection.flags;
    for (const wire of encoded(flags)) connection.client.send(wire);
  };

  const send: LocalHub['send'] = (message, to) => intercept(message, (passed) => deliver(passed, to));

  const hasBrokenFlags = (clientId: unknown): boolean => connections.get(clientId)?.flags === 'broken';

  return { add, send, hasBrokenFlags };
};

/** What came of a socket's message; flags that are no object are taken and answered like any others. */
export type LocalHandshake =
  { readonly flags: ClientFlags | 'broken'; readonly answer: string } | 'something else' | 'not a message';

/** Reads a client's message as the handshake, with the local server's carelessness about its `data`. */
const localHandshake = (text: string, settings: Settings): LocalHandshake => {
  const outcome = answerHandshake(text, settings);
  if (outcome === 'not a message') return outcome;
  const answer = encodeEvent('feature_flags', serverFlags(settings), pythonJson);
  if (typeof outcome !== 'string') return { flags: outcome.flags, answer };
  const message = JSON.parse(text) as { readonly type?: unknown; readonly data?: unknown };
  return message.type === 'feature_flags' ? { flags: 'broken', answer } : outcome;
};

/**
 * Whom a job's message is for. A job without a client id is heard by nobody, but its progress, texts, plain previews
 * and interruption by everybody.
 */
export const recipientOf = (message: ServiceMessage, { clientId }: LocalJob): Recipient | undefined => {
  if (clientId !== undefined && clientId !== null) return { clientId };
  return message.kind !== 'event' || broadcastEvents.has(message.type) ? 'everybody' : undefined;
};

const broadcastEvents: ReadonlySet<string> = new Set(['progress', 'progress_state', 'execution_interrupted']);

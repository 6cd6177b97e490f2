import { answerHandshake, serverFlags } from '../sockets/hub.js';
import { type ClientFlags, encodeEvent, encodeMessage, noFlags } from '../sockets/encode-message.js';
import type { EventInterceptor } from '../messages.js';
import type { LocalJob } from './run-local-job.js';
import type { ClientSocket } from '../sockets/client-socket.js';
import { localSwitches } from '../profiles.js';
import { withNodeFloats } from './node-floats.js';
import { PythonFloat } from '../python-float.js';
import { pythonJson } from './python.js';
import type { EventData, ServiceMessage } from '../messages.js';
import type { Settings } from '../settings.js';

/** The recipient of a message: the socket with this client id, or all sockets regardless of their flags. */
type Recipient = 'all' | { readonly clientId: unknown };

/** The open sockets of the local server, one a client id. */
export interface LocalHub {
  /** Registers an open socket under a client id, in place of an older one. */
  readonly add: (clientId: string, client: ClientSocket, greetings: readonly ServiceMessage[]) => void;
  readonly send: (message: ServiceMessage, to: Recipient) => void;
  /** Whether a socket with this client id gets messages. */
  readonly has: (clientId: unknown) => boolean;
  /** True if the flags that a client announced are no object, which breaks its previews. */
  readonly hasBrokenFlags: (clientId: unknown) => boolean;
}

/**
 * A newer socket with the same client id replaces the older one, which stays open and gets no further message. When
 * either of them closes, the client id is unregistered, as in the engine: the newer one gets no messages from then on.
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
    const encoded = encodeMessage(withNodeFloats(message), settings, pythonJson);
    if (to === 'all') {
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

  return { add, send, has: (clientId) => connections.has(clientId), hasBrokenFlags };
};

/** The server's flags; a limit of uploads that was configured is written as a float. */
export const localFlags = (settings: Settings): EventData => {
  const { maxUploadBytes } = settings.switches;
  const isDefault = maxUploadBytes === localSwitches.maxUploadBytes;
  const flags = { ...serverFlags(settings), ...(settings.switches.assets && { assets: true }) };
  return isDefault ? flags : { ...flags, max_upload_size: new PythonFloat(maxUploadBytes) };
};

/** The result of reading a socket's message; flags that are no object are accepted like others. */
export type LocalHandshake =
  { readonly flags: ClientFlags | 'broken'; readonly answer: string } | 'something else' | 'not a message';

/** Reads a client's message as the handshake; like the engine, it does not check `data`. */
const localHandshake = (text: string, settings: Settings): LocalHandshake => {
  if (!settings.facts.nodeStates) return 'something else';
  const outcome = answerHandshake(text, settings);
  if (outcome === 'not a message') return outcome;
  const answer = encodeEvent('feature_flags', localFlags(settings), pythonJson);
  if (typeof outcome !== 'string') return { flags: outcome.flags, answer };
  const message = JSON.parse(text) as { readonly type?: unknown; readonly data?: unknown };
  return message.type === 'feature_flags' ? { flags: 'broken', answer } : outcome;
};

/**
 * The recipient of a job's message. Of a job without a client id, progress, texts, plain previews and interruption go to
 * all sockets, other messages to none.
 */
export const recipientOf = (message: ServiceMessage, { clientId }: LocalJob): Recipient | undefined => {
  if (clientId !== undefined && clientId !== null) return { clientId };
  return message.kind !== 'event' || broadcastEvents.has(message.type) ? 'all' : undefined;
};

const broadcastEvents: ReadonlySet<string> = new Set(['progress', 'progress_state', 'execution_interrupted']);

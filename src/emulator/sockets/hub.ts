import { type ClientFlags, encodeEvent, encodeMessage, noFlags } from './encode-message.js';
import type { ClientSocket } from './client-socket.js';
import type { EventInterceptor, ServiceMessage } from '../messages.js';
import type { Settings } from '../settings.js';

/** The result of reading a socket's message: its flags and the answer, or why it is no handshake. */
export type Handshake =
  { readonly flags: ClientFlags; readonly answer: string } | 'something else' | 'not a message';

/**
 * Reads a client's message as the feature-flag handshake. Only the first JSON object of a socket can be one;
 * messages before it that are not JSON objects are ignored.
 */
export const answerHandshake = (text: string, settings: Settings): Handshake => {
  const message = parse(text);
  if (!isRecord(message)) return 'not a message';
  if (message['type'] !== 'feature_flags' || !isRecord(message['data'])) return 'something else';
  return {
    flags: {
      previewMetadata: message['data']['supports_preview_metadata'] === true,
      promptText: message['data']['supports_progress_text_metadata'] === true,
    },
    answer: encodeEvent('feature_flags', serverFlags(settings)),
  };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The feature flags of the service, in the handshake and at `GET /api/features`. */
export const serverFlags = ({ switches }: Settings): Readonly<Record<string, unknown>> => ({
  supports_preview_metadata: true,
  max_upload_size: switches.maxUploadBytes,
  ...(switches.promptText ? { supports_progress_text_metadata: true } : {}),
});

/** The open sockets of one account; each gets every message. */
export interface Hub {
  /** Adds an open socket and sends `greeting` to it first. */
  readonly add: (client: ClientSocket, greeting: ServiceMessage) => void;
  readonly send: (message: ServiceMessage) => void;
}

/** Every message passes `intercept` once and is then sent to each socket. */
export const createHub = (settings: Settings, intercept: EventInterceptor): Hub => {
  const clients = new Map<ClientSocket, ClientFlags>();

  const add = (client: ClientSocket, greeting: ServiceMessage): void => {
    clients.set(client, noFlags);
    let first = true;
    client.onText((text) => {
      if (!first) return;
      const outcome = answerHandshake(text, settings);
      first = outcome === 'not a message';
      if (typeof outcome === 'string') return;
      clients.set(client, outcome.flags);
      client.send(outcome.answer);
    });
    client.onClose(() => clients.delete(client));
    for (const wire of encodeMessage(greeting, settings)(noFlags)) client.send(wire);
  };

  const deliver = (message: ServiceMessage): void => {
    if (clients.size === 0) return;
    const encoded = encodeMessage(message, settings);
    for (const [client, flags] of clients) for (const wire of encoded(flags)) client.send(wire);
  };

  return { add, send: (message) => intercept(message, deliver) };
};

import { encodePreview, encodePreviewWithMetadata, encodeProgressText } from '../../helpers/encode-frame.js';
import type { SimSocket, SocketHub } from '../sim-sockets.js';
import type { LocalMessage } from './local-messages.js';
import { pythonJson } from './python-json.js';

/** What a message is sent with. */
export interface Posting {
  /** Whose socket hears it; undefined: every socket. */
  readonly clientId: string | undefined;
  readonly promptId: string;
  readonly delayMs: number;
  /** Called when a message has reached a client; `isClear` where the same socket had brought the job's start. */
  readonly heard: (wire: string | Uint8Array, isClear: boolean) => void;
}

/** The sockets of the local server, one a client id. */
export interface LocalHub extends SocketHub {
  readonly post: (message: LocalMessage, posting: Posting) => void;
  /** Tells every socket how many jobs are left. */
  readonly tellQueue: (remaining: number) => void;
  /** Takes a client id away from its socket, as a newer socket with the same id does. */
  readonly takeOver: (clientId: string | null) => boolean;
  /** Begins anew without any socket, as a server that was restarted does. */
  readonly reset: () => void;
}

/** What the hub needs of the server. */
export interface HubOptions {
  readonly remaining: () => number;
  /** The node that runs for a client, if one does. */
  readonly nodeOf: (clientId: string | null) => string | undefined;
  /** Called when a socket takes the id that another one holds. */
  readonly overlapped: () => void;
}

/**
 * Makes the hub. A newer socket takes the client id of an older one, which is deaf from then on; and whichever socket
 * closes takes the id with it, even where a newer one has it by then.
 */
export const localHub = ({ remaining, nodeOf, overlapped }: HubOptions): LocalHub => {
  const byClientId = new Map<string | null, SimSocket>();
  /** Sockets of this run of the server, by whether they announced that they take metadata; null before they said anything. */
  let flags = new Map<SimSocket, boolean | null>();
  /** The job whose start each socket brought last. */
  const started = new WeakMap<SimSocket, string>();
  const status = (sid?: string | null): string =>
    pythonJson({
      type: 'status',
      data: { status: { exec_info: { queue_remaining: remaining() } }, sid: sid ?? undefined },
    });

  return {
    opened: (socket) => {
      if (byClientId.has(socket.clientId)) overlapped();
      byClientId.set(socket.clientId, socket);
      flags.set(socket, null);
      socket.send(status(socket.clientId));
      const node = nodeOf(socket.clientId);
      if (node !== undefined) socket.send(pythonJson({ type: 'executing', data: { node } }));
    },
    received: (socket, text) => {
      if (flags.get(socket) !== null) return;
      const said = JSON.parse(text) as { readonly type?: unknown; readonly data?: Record<string, unknown> };
      const announces = said.type === 'feature_flags';
      flags.set(socket, announces && said.data?.['supports_preview_metadata'] === true);
      if (!announces) return;
      const data = { supports_preview_metadata: true, max_upload_size: 104_857_600 };
      socket.send(pythonJson({ type: 'feature_flags', data }));
    },
    over: (socket) => {
      if (flags.delete(socket)) byClientId.delete(socket.clientId);
    },
    post: (message, { clientId, promptId, delayMs, heard }) => {
      const sockets = clientId === undefined ? [...byClientId.values()] : [byClientId.get(clientId)];
      for (const socket of sockets) {
        if (socket === undefined) continue;
        const hasFlags = clientId !== undefined && flags.get(socket) === true;
        for (const wire of wiresOf(message, promptId, hasFlags))
          socket.send(wire, {
            delayMs,
            heard: () => {
              if ('type' in message && message.type === 'execution_start') started.set(socket, promptId);
              heard(wire, started.get(socket) === promptId);
            },
          });
      }
    },
    tellQueue: () => {
      for (const socket of byClientId.values()) socket.send(status());
    },
    takeOver: (clientId) => byClientId.delete(clientId),
    reset: () => {
      byClientId.clear();
      flags = new Map();
    },
  };
};

/** A picture comes before the progress it belongs to where it has metadata, and after it where it has none. */
const wiresOf = (
  message: LocalMessage,
  promptId: string,
  hasFlags: boolean,
): readonly (string | Uint8Array)[] => {
  if ('text' in message) return [encodeProgressText(message.nodeId, message.text)];
  if (!('picture' in message)) return [pythonJson(message)];
  const { picture, nodeId, progress } = message;
  if (!hasFlags) return [pythonJson(progress), encodePreview(1, picture)];
  const metadata = {
    node_id: nodeId,
    prompt_id: promptId,
    display_node_id: nodeId,
    parent_node_id: null,
    real_node_id: nodeId,
    image_type: 'image/jpeg',
  };
  return [encodePreviewWithMetadata(metadata, picture), pythonJson(progress)];
};

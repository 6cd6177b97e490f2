import type { EventData, PreviewMetadata, ServiceMessage } from '../messages.js';
import { stringifyExact } from '../exact-json.js';
import { isInterfaceRow } from '../interface-rows.js';
import type { Preview } from '../engine/node-class.js';
import type { Settings } from '../settings.js';

/** The encoded messages for a client that announced these flags. */
export type Encoded = (flags: ClientFlags) => readonly (string | Uint8Array)[];

/**
 * Encodes a message lazily, once for all sockets; a row of the interface that is switched off gives no message.
 */
export const encodeMessage = (
  message: ServiceMessage,
  { has, switches }: Pick<Settings, 'has' | 'switches'>,
  stringify: Stringify = stringifyExact,
): Encoded => {
  if (message.kind === 'raw') return () => [message.wire];
  if (message.kind === 'event') {
    const row = `event:${message.type}`;
    if (isInterfaceRow(row) && !has(row)) return silence;
    const wire = [encodeEvent(message.type, message.data, stringify)];
    return () => wire;
  }
  if (message.kind === 'preview') {
    const { layout, metadata, picture } = message;
    if (!has(`binary:${layout}`)) return silence;
    const wire = once(() => [
      layout === 4 ? encodePreview(metadata, picture(), stringify) : encodePlainPreview(picture()),
    ]);
    return (flags) => (flags.previewMetadata === (layout === 4) ? wire() : []);
  }
  if (!has('binary:3')) return silence;
  const { nodeId, text, promptId } = message;
  const older = once(() => [encodeText(nodeId, text)]);
  const newer = once(() => [encodeText(nodeId, text, promptId)]);
  return (flags) => (switches.promptText && flags.promptText ? newer() : older());
};

const silence: Encoded = () => [];

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** Writes a value as JSON. */
type Stringify = (value: unknown) => string;

/** A text message: `{ type, data }` as JSON. */
export const encodeEvent = (type: string, data: EventData, stringify: Stringify = stringifyExact): string =>
  stringify({ type, data });

/** Binary type 1: the picture's kind (1 JPEG, 2 PNG) and its bytes, without job or node. */
export const encodePlainPreview = (preview: Preview): Uint8Array =>
  frame(1, uint32(preview.mediaType === 'image/png' ? 2 : 1), preview.bytes);

/** Binary type 4: metadata as JSON, with the picture's media type, and its bytes. */
export const encodePreview = (
  metadata: PreviewMetadata,
  preview: Preview,
  stringify: Stringify = stringifyExact,
): Uint8Array => frame(4, counted(stringify({ ...metadata, image_type: preview.mediaType })), preview.bytes);

/** Binary type 3: node id and text, preceded by a prompt id where both sides announced that layout. */
export const encodeText = (nodeId: string, text: string, promptId?: string): Uint8Array =>
  promptId === undefined
    ? frame(3, counted(nodeId), Buffer.from(text))
    : frame(3, counted(promptId), counted(nodeId), Buffer.from(text));

const frame = (type: number, ...parts: readonly Uint8Array[]): Uint8Array =>
  Buffer.concat([uint32(type), ...parts]);

const counted = (text: string): Uint8Array => {
  const bytes = Buffer.from(text);
  return Buffer.concat([uint32(bytes.length), bytes]);
};

const uint32 = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** What the client of a socket announced in its handshake. */
export interface ClientFlags {
  /** Previews are sent as type 4, with job and node. */
  readonly previewMetadata: boolean;
  /** Progress text carries the job's id, where the server announces that too. */
  readonly promptText: boolean;
}

/** Before, or without, a handshake. */
export const noFlags: ClientFlags = { previewMetadata: false, promptText: false };

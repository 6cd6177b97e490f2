import type { Preview } from './engine/node-class.js';
import type { EventData, PreviewMetadata } from './messages.js';

/** Writes a value as JSON. */
export type Stringify = (value: unknown) => string;

/** A text message: `{ type, data }` as JSON. */
export const encodeEvent = (type: string, data: EventData, stringify: Stringify = JSON.stringify): string =>
  stringify({ type, data });

/** Binary type 1: the picture's kind (1 JPEG, 2 PNG) and its bytes; says neither job nor node. */
export const encodePlainPreview = (preview: Preview): Uint8Array =>
  frame(1, uint32(preview.mediaType === 'image/png' ? 2 : 1), preview.bytes);

/** Binary type 4: metadata as JSON, with the picture's media type, and its bytes. */
export const encodePreview = (
  metadata: PreviewMetadata,
  preview: Preview,
  stringify: Stringify = JSON.stringify,
): Uint8Array => frame(4, counted(stringify({ ...metadata, image_type: preview.mediaType })), preview.bytes);

/** Binary type 3: node id and text; with a prompt id in front where both sides announced that layout. */
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

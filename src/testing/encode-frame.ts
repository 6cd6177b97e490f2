import type { Frame, Malformed, Preview, TextFrame } from '../core/protocol/frames/frame.js';
import { writeExactJson } from '../core/protocol/json/exact-json.js';

/** A frame that has bytes of its own; of a `Malformed` only a sample is left. */
export type EncodableFrame = Exclude<Frame, Malformed>;

/**
 * Encodes a frame as the message that `decodeFrame` reads it from: text for an event, bytes for a picture or a progress text.
 *
 * A preview with `metadata`, or with an id, becomes binary type 4, any other type 1; a text with a `promptId` gets the layout
 * with a prompt id, which `decodeFrame` recognises where the id is a UUID or with `promptText: true`. A preview whose picture begins
 * no known format is read back as `Unknown`. Throws a `TypeError` for a
 * value that JSON can't hold, such as a cycle (docs/protocol.md, chapters 6 and 7).
 *
 * @example
 * ```ts
 * import { decodeFrame } from 'promptwire';
 * import { encodeFrame } from 'promptwire/testing';
 *
 * const message = encodeFrame({ _tag: 'Text', nodeId: '12', text: 'hi' });
 * console.log(decodeFrame(message)._tag); // Text
 * ```
 */
export const encodeFrame = (frame: EncodableFrame): string | Uint8Array => {
  switch (frame._tag) {
    case 'Event':
      return writeExactJson({ type: frame.type, data: frame.data });
    case 'Unknown':
      return frame.kind === 'text' ? JSON.stringify(frame.message) : frame.bytes;
    case 'Preview':
      return encodePreview(frame);
    case 'Text':
      return encodeText(frame);
  }
};

const encodePreview = ({
  mediaType,
  image,
  metadata,
  promptId,
  nodeId,
  displayNodeId,
}: Preview): Uint8Array => {
  const isNamed = promptId !== undefined || nodeId !== undefined || displayNodeId !== undefined;
  if (metadata === undefined && !isNamed) return bytesOf(1, mediaType === 'image/png' ? 2 : 1, image);
  return bytesOf(
    4,
    sized(
      JSON.stringify(
        metadata ?? {
          prompt_id: promptId,
          node_id: nodeId,
          display_node_id: displayNodeId ?? nodeId,
          image_type: mediaType,
        },
      ),
    ),
    image,
  );
};

const encodeText = ({ nodeId, text, promptId }: TextFrame): Uint8Array =>
  bytesOf(3, promptId === undefined ? empty : sized(promptId), sized(nodeId), utf8(text));

const empty = new Uint8Array(0);

/** A text in UTF-8 after its length. */
const sized = (text: string): Uint8Array => {
  const bytes = utf8(text);
  return bytesOf(bytes.length, bytes);
};

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Joins numbers, each in four bytes, the highest first, and bytes. */
const bytesOf = (...parts: readonly (number | Uint8Array)[]): Uint8Array => {
  const lengths = parts.map((part) => (typeof part === 'number' ? 4 : part.length));
  const joined = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  const view = new DataView(joined.buffer);
  let at = 0;
  parts.forEach((part, index) => {
    if (typeof part === 'number') view.setUint32(at, part);
    else joined.set(part, at);
    at += lengths[index] ?? 0;
  });
  return joined;
};

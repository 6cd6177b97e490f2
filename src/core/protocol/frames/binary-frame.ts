import { type Field, fieldAt, maxMetadataBytes, startsWithPromptId, textOf, uint32 } from './read-bytes.js';
import { type Frame, type Malformed, malformed, type Preview, type TextFrame } from './frame.js';
import { isJsonObject, tooManyValues } from '../json/json.js';
import { parseJson } from '../json/parse-json.js';
import { sniffMediaType } from '../media-type.js';

/**
 * Decodes a binary message: a preview (types 1 and 4) or a progress text (type 3, whose layout `promptText` names);
 * undefined for any other type and for bytes too short to have a type (docs/protocol.md, chapter 7).
 *
 * Total, like `decodeFrame`. The picture is a view on `bytes`. Only its own first bytes say what it is: with bytes that begin
 * no known format the message is `Unknown`, as extensions put bytes of their own before or in place of the picture.
 */
export const decodeBinary = (bytes: Uint8Array, promptText?: boolean): Frame | undefined => {
  if (bytes.length < 4) return undefined;
  switch (uint32(bytes, 0)) {
    case 1:
      return decodePreview(bytes);
    case 3:
      return decodeProgressText(bytes, promptText);
    case 4:
      return decodePreviewWithMetadata(bytes);
    default:
      return undefined;
  }
};

/** Makes the frame of a binary message whose type or picture {@link decodeBinary} does not know. */
export const unknownBinary = (bytes: Uint8Array): Frame => {
  if (bytes.length < 4) return refuse(bytes, 'shorter than its type');
  return { _tag: 'Unknown', kind: 'binary', type: uint32(bytes, 0), bytes };
};

const decodePreview = (bytes: Uint8Array): Frame => {
  if (bytes.length <= 8) return refuse(bytes, 'type 1: the picture is empty');
  const image = bytes.subarray(8);
  const mediaType = pictureTypeOf(image);
  return mediaType === undefined ? unknownBinary(bytes) : { _tag: 'Preview', mediaType, image };
};

const decodePreviewWithMetadata = (bytes: Uint8Array): Frame => {
  if (bytes.length < 8) return refuse(bytes, 'type 4: shorter than its header of 8 bytes');
  const length = uint32(bytes, 4);
  if (length > maxMetadataBytes) return refuse(bytes, 'type 4: metadata longer than 64 KiB');
  const start = 8 + length;
  if (start > bytes.length) return refuse(bytes, 'type 4: metadata longer than the frame');
  if (start === bytes.length) return refuse(bytes, 'type 4: the picture is empty');
  const text = textOf(bytes, 8, start);
  const metadata = text === undefined ? undefined : objectOf(text);
  if (metadata === undefined) return refuse(bytes, 'type 4: the metadata should be a JSON object');
  const image = bytes.subarray(start);
  const mediaType = pictureTypeOf(image);
  return mediaType === undefined ? unknownBinary(bytes) : previewOf(mediaType, image, metadata);
};

/** Undefined also for sound and models, which no preview is: two bytes are enough to look like sound. */
const pictureTypeOf = (image: Uint8Array): string | undefined => {
  const mediaType = sniffMediaType(image);
  return mediaType?.startsWith('image/') === true || mediaType?.startsWith('video/') === true
    ? mediaType
    : undefined;
};

const previewOf = (
  mediaType: string,
  image: Uint8Array,
  metadata: Readonly<Record<string, unknown>>,
): Preview => {
  const { prompt_id, node_id, display_node_id } = metadata;
  if (isId(prompt_id) && isId(node_id) && isId(display_node_id)) {
    // The usual frame, built at once: adding members to an object later costs a second allocation.
    return {
      _tag: 'Preview',
      mediaType,
      image,
      metadata,
      promptId: prompt_id,
      nodeId: node_id,
      displayNodeId: display_node_id,
    };
  }
  const preview: Writable<Preview> = { _tag: 'Preview', mediaType, image, metadata };
  if (isId(prompt_id)) preview.promptId = prompt_id;
  if (isId(node_id)) preview.nodeId = node_id;
  if (isId(display_node_id)) preview.displayNodeId = display_node_id;
  return preview;
};

const decodeProgressText = (bytes: Uint8Array, promptText?: boolean): Frame => {
  const first = fieldAt(bytes, 4);
  if (first === undefined) return refuse(bytes, 'type 3: the first id does not fit');
  if (!(promptText ?? startsWithPromptId(bytes, first))) return textFrame(bytes, first);
  const second = fieldAt(bytes, first.end);
  if (second === undefined) return refuse(bytes, 'type 3: the node id does not fit');
  const promptId = textOf(bytes, first.start, first.end);
  return promptId === undefined ? refuse(bytes, notUtf8) : textFrame(bytes, second, promptId);
};

const notUtf8 = 'type 3: not valid UTF-8';

const textFrame = (bytes: Uint8Array, node: Field, promptId?: string): TextFrame | Malformed => {
  const nodeId = textOf(bytes, node.start, node.end);
  const text = textOf(bytes, node.end, bytes.length);
  if (nodeId === undefined || text === undefined) return refuse(bytes, notUtf8);
  return promptId === undefined ? { _tag: 'Text', nodeId, text } : { _tag: 'Text', nodeId, text, promptId };
};

const objectOf = (text: string): Readonly<Record<string, unknown>> | undefined => {
  const parsed = tooManyValues(text) ? undefined : parseJson(text);
  return isJsonObject(parsed) ? parsed : undefined;
};

type Writable<A> = { -readonly [Key in keyof A]: A[Key] };

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The sample is the header only: pixels or private text may follow it. */
const refuse = (bytes: Uint8Array, reason: string): Malformed => {
  const header = Array.from({ length: Math.min(8, bytes.length) }, (_, at) =>
    (bytes[at] ?? 0).toString(16).padStart(2, '0'),
  );
  return malformed(reason, bytes.length, header.join(' '));
};

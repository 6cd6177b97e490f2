import { fieldAt, maxMetadataBytes, startsWithPromptId, textOf, uint32 } from './read-bytes.js';
import { type IdAt, soleId } from './sole-id.js';

/**
 * Looks for the job of a binary message without decoding it: type 4, and type 3 in the layout with a prompt id.
 *
 * Unless `decodeFrame`, told the same `promptText`, finds the frame malformed, the frame belongs to the job that is
 * given here or, rarely, to none. Undefined where the frame has no room for an id or that would take parsing.
 */
export const peekBinaryOwner = (bytes: Uint8Array, promptText?: boolean): IdAt | undefined => {
  if (bytes.length < 8) return undefined;
  switch (uint32(bytes, 0)) {
    case 3:
      return peekProgressText(bytes, promptText);
    case 4:
      return peekMetadata(bytes);
    default:
      return undefined;
  }
};

const peekProgressText = (bytes: Uint8Array, promptText?: boolean): IdAt | undefined => {
  const first = fieldAt(bytes, 4);
  if (first === undefined || !(promptText ?? startsWithPromptId(bytes, first))) return undefined;
  const text = textOf(bytes, first.start, first.end);
  return text === undefined ? undefined : { text, start: 0, end: text.length };
};

const peekMetadata = (bytes: Uint8Array): IdAt | undefined => {
  const length = uint32(bytes, 4);
  if (length > maxMetadataBytes || 8 + length > bytes.length) return undefined;
  const json = textOf(bytes, 8, 8 + length);
  const id = json === undefined ? undefined : soleId(json);
  return id?.start === id?.end ? undefined : id;
};

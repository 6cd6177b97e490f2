import { fieldAt, maxMetadataBytes, startsWithPromptId, textOf, uint32 } from '../frames/read-bytes.js';
import { type IdAt, soleId, startOfType } from './peek-text.js';

/**
 * Whose a message is, where nobody else has to decode it: the job of one that is one of very many (progress, a picture or a
 * text that names its job), or nobody for an event that names no job, which concerns those who take every frame; undefined
 * for any other one.
 *
 * It tells of texts what `peekText` does. The id is not cut out of its text, since V8 takes long to look up what was.
 */
export const peekOwner = (data: string | ArrayBuffer, promptText?: boolean): IdAt | undefined =>
  typeof data === 'string' ? peekTextOwner(data) : peekBinaryOwner(new Uint8Array(data), promptText);

const peekTextOwner = (text: string): IdAt | undefined => {
  const type = startOfType(text);
  // Whoever has the socket heeds what the server announces.
  if (type === undefined || text.startsWith('"feature_flags"', type)) return undefined;
  const id = soleId(text);
  const isNobody = id !== undefined && id.start === id.end;
  return isNobody || text.startsWith('"progress"', type) || text.startsWith('"progress_state"', type)
    ? id
    : undefined;
};

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

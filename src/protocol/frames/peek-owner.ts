import { peekBinaryOwner } from './peek-binary.js';
import { startOfType } from './peek-frame.js';
import { type IdAt, soleId } from './sole-id.js';

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

import { fieldAt, maxMetadataBytes, startsWithPromptId, textOf, uint32 } from '../frames/read-bytes.js';
import { peekText } from './peek-text.js';

/** Whose a message is, as far as that shows without decoding the message. */
export interface PeekedOwner {
  /** Absent if the message names no job. */
  readonly promptId?: string | undefined;
}

/**
 * Finds the job of a message that need not be decoded where no subscriber takes it: one of the many messages about a running
 * job (progress, a picture or a text that names its job), or an event that names no job, which concerns only the subscribers
 * of all frames. Undefined for every other message, and where finding the job would take parsing.
 *
 * Unless `decodeFrame`, given the same `promptText`, finds the frame malformed, the frame belongs to this job or, rarely, to
 * none.
 */
export const peekOwner = (data: string | ArrayBuffer, promptText?: boolean): PeekedOwner | undefined => {
  if (typeof data === 'string') return peekTextOwner(data);
  const promptId = peekBinaryOwner(new Uint8Array(data), promptText);
  return promptId === undefined ? undefined : { promptId };
};

const peekTextOwner = (text: string): PeekedOwner | undefined => {
  const { type, promptIds } = peekText(text);
  // The frame source itself reads what the server announces.
  if (type === undefined || type === 'feature_flags') return undefined;
  if (promptIds === undefined || promptIds.length > 1) return undefined;
  const [promptId = ''] = promptIds;
  if (promptId === '') return {};
  return type === 'progress' || type === 'progress_state' ? { promptId } : undefined;
};

/** The job of a binary message: type 4, and type 3 in the layout with a prompt id. */
export const peekBinaryOwner = (bytes: Uint8Array, promptText?: boolean): string | undefined => {
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

const peekProgressText = (bytes: Uint8Array, promptText?: boolean): string | undefined => {
  const first = fieldAt(bytes, 4);
  return first !== undefined && (promptText ?? startsWithPromptId(bytes, first))
    ? textOf(bytes, first.start, first.end)
    : undefined;
};

const peekMetadata = (bytes: Uint8Array): string | undefined => {
  const length = uint32(bytes, 4);
  if (length > maxMetadataBytes || 8 + length > bytes.length) return undefined;
  const [promptId, ...others] = peekText(textOf(bytes, 8, 8 + length) ?? '').promptIds ?? [];
  return promptId === '' || others.length > 0 ? undefined : promptId;
};

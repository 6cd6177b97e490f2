import { bytes, object, oneOf, optional, text } from '../state/read.js';
import type { StoredFile } from './file-store.js';

/** Reads a file of a saved state. */
export const savedFile = object({
  filename: text,
  subfolder: text,
  type: oneOf('output', 'temp', 'input'),
  mediaType: optional(text),
  bytes,
});

/** The file as a store keeps it. */
export const storedFile = ({ mediaType, ...file }: ReturnType<typeof savedFile>): StoredFile => ({
  ...file,
  ...(mediaType !== undefined && { mediaType }),
});

import { splitName } from './split-name.js';

/** Longest name in UTF-8 bytes: leaves room for `.part` and `~2` below the 255 of common file systems. */
const maxBytes = 200;

/** Names that open a device on some systems, with or without an extension. */
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/iu;

/** Control characters, what no common file system or shell takes, and marks that turn or hide text. */
const forbidden =
  /[\u0000-\u001f\u007f-\u009f<>:"|?*\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\uffff]|\p{Surrogate}/gu;

/**
 * Makes a file name that came from the service safe to create in a folder of ours.
 *
 * Only the last part of a path is kept, in composed form (NFC), without control, hidden and reserved characters, leading
 * dots or dashes, trailing dots or blanks and device names; at most 200 bytes, the extension kept; never empty. The
 * result cannot leave the folder on POSIX or Windows. Idempotent.
 */
export const safeFileName = (name: string): string => {
  const last = name.normalize('NFC').split(/[/\\]/u).at(-1) ?? '';
  return shorten(trim(last.replace(forbidden, '_')).replace(devices, (word) => `_${word}`)) || 'file';
};

const trim = (name: string): string => name.replace(/^[.\-~\s]+/u, '').replace(/[.\s]+$/u, '');

const shorten = (name: string): string => {
  if (byteLength(name) <= maxBytes) return name;
  const { stem, extension } = splitName(name);
  const kept = byteLength(extension) <= 20 ? extension : '';
  // Whole characters go, so that no half of a pair remains.
  const characters = Array.from(kept === '' ? name : stem).slice(0, maxBytes);
  while (byteLength(characters.join('') + kept) > maxBytes) characters.pop();
  return characters.join('').replace(/[.\s]+$/u, '') + kept;
};

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

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
 * result cannot leave the folder on POSIX or Windows. Idempotent. Downloads pass every name through it.
 *
 * @example
 * ```ts
 * import { safeFileName } from 'promptwire';
 *
 * const name = safeFileName('../a: sunset.png'); // 'a_ sunset.png'
 * ```
 */
export const safeFileName = (name: string): string => {
  const last = short(name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)).normalize(
    'NFC',
  );
  return shorten(trim(last.replace(forbidden, '_')).replace(devices, (word) => `_${word}`)) || 'file';
};

/**
 * What no file system takes is cut before it is looked at: composing a long run of marks takes time that grows with its
 * square. The beginning and the end remain; the final name keeps less than half of them.
 */
const short = (name: string): string =>
  name.length <= 1000 ? name : `${name.slice(0, 900)}${name.slice(-100)}`;

const trim = (name: string): string => withoutTail(name.replace(/^[.\-~\s]+/u, ''));

/** Without the dots and blanks at its end. */
const withoutTail = (name: string): string => {
  let end = name.length;
  while (/[.\s]/u.test(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end);
};

const shorten = (name: string): string => {
  if (byteLength(name) <= maxBytes) return name;
  const { extension } = splitName(name);
  const kept = byteLength(extension) <= 20 ? extension : '';
  // Whole characters go, so that no half of a pair remains.
  const characters = Array.from(name).slice(0, maxBytes);
  while (byteLength(characters.join('') + kept) > maxBytes) characters.pop();
  return withoutTail(characters.join('')) + kept;
};

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** Parts a file name before its last dot; a name that begins with its only dot has no extension. */
export const splitName = (name: string): { readonly stem: string; readonly extension: string } => {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? { stem: name, extension: '' } : { stem: name.slice(0, dot), extension: name.slice(dot) };
};

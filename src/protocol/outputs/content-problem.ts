import { mediaTypeOfName, sniffMediaType } from './media-type.js';

/**
 * Says why these first bytes (64 are enough) can't belong to a file of that name; undefined where they may.
 *
 * Storage answers some failures with a page and the status of a success. So a name of a picture, film or sound must not
 * hold text, and one of PNG, JPEG, GIF or WebP must begin like some known medium; another medium than the name says is
 * fine, as services do mix them up (docs/protocol.md, chapter 8).
 */
export const contentProblem = (filename: string, head: Uint8Array): string | undefined => {
  const expected = mediaTypeOfName(filename);
  if (expected === undefined || !isBinary(expected) || sniffMediaType(head) !== undefined) return undefined;
  if (head.byteLength === 0) return 'it is empty';
  const start = textOf(head);
  if (start !== undefined) return `it holds ${kindOfText(start)} instead of ${expected}`;
  return strict.has(expected) ? `it does not begin like ${expected}` : undefined;
};

const isBinary = (mediaType: string): boolean =>
  (/^(?:image|video|audio)\//u.test(mediaType) && mediaType !== 'image/svg+xml') ||
  mediaType === 'model/gltf-binary';

const strict: ReadonlySet<string> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);

/** Undefined for bytes that text does not have. */
const textOf = (head: Uint8Array): string | undefined => {
  const text = new TextDecoder().decode(head.subarray(0, 64), { stream: true });
  return /[\u0000-\u0008\u000e-\u001f\u007f\ufffd]/u.test(text) ? undefined : text.trimStart();
};

const kindOfText = (start: string): string => {
  if (start.startsWith('<')) return /^<(?:!doctype\s+)?html/iu.test(start) ? 'an HTML page' : 'markup (XML)';
  return /^[{[]/u.test(start) ? 'JSON' : 'text';
};

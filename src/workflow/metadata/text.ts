import { joinBytes } from './bytes.js';
import { malformed, StopReading } from './stop-reading.js';

/** Decodes bytes as UTF-8, or as Latin-1 if they are not valid UTF-8; without NULs at the end. */
export const decodeText = (bytes: Uint8Array): string => {
  try {
    return withoutNuls(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return withoutNuls(new TextDecoder('latin1').decode(bytes));
  }
};

/** Decodes the text of a JSON file: UTF-16 by its mark, else UTF-8, else Latin-1, which is a guess. */
export const decodeJson = (bytes: Uint8Array): { readonly text: string; readonly isGuess: boolean } => {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isWide) return { text: decodeUtf16(bytes), isGuess: false };
  const text = decodeText(bytes);
  // Only UTF-8 comes back as the same bytes, but for its mark.
  return {
    text,
    isGuess: new TextDecoder().decode(bytes).includes('\u{FFFD}') && !text.includes('\u{FFFD}'),
  };
};

/** Decodes UTF-16, whose byte order its mark says, or else where the zero of its first character is. */
export const decodeUtf16 = (bytes: Uint8Array): string => {
  const isBig = bytes[0] === 0xfe || bytes[0] === 0;
  return withoutNuls(new TextDecoder(isBig ? 'utf-16be' : 'utf-16le').decode(bytes));
};

const withoutNuls = (text: string): string => {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end -= 1;
  return text.slice(0, end);
};

/** Inflates zlib data by the platform's `DecompressionStream`, up to so many bytes; more ends the search as `too-large`. */
export const inflate = async (deflated: Uint8Array, most: number): Promise<Uint8Array> => {
  const parts: Uint8Array[] = [];
  let length = 0;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      controller.enqueue(new Uint8Array(deflated));
      controller.close();
    },
  });
  const reader = source.pipeThrough(new DecompressionStream('deflate')).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      if (length > most) break;
      parts.push(next.value);
    }
  } catch {
    throw malformed('A compressed text is damaged');
  }
  if (length <= most) return joinBytes(parts);
  void reader.cancel().catch(() => undefined);
  throw new StopReading(
    'too-large',
    'Its metadata has more bytes than the bound of maxMetadataBytes, once it is inflated.',
  );
};

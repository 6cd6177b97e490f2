import type { HttpRequest } from '../platform.js';
import { multipart } from './multipart.js';

/** The body of a request on its way. */
export interface RequestBody {
  /** The headers that come with it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text that leaves at once, or pieces that leave one after the other; undefined if there is no body. */
  readonly content: string | AsyncIterable<Uint8Array> | undefined;
}

/**
 * Makes the body of a request. A form, and JSON of more than 64 KiB, leaves in pieces: then this calls `onProgress` with each piece that
 * the connection has taken, and `onSent` just before it hands over the last one.
 *
 * The connection takes a piece once its own buffer has room, so what was taken is at most some megabytes ahead of the network: the
 * buffers of the operating system can't be seen.
 */
export const requestBody = ({
  json,
  form,
  onSent,
  onProgress,
}: Pick<HttpRequest, 'json' | 'form' | 'onSent' | 'onProgress'>): RequestBody => {
  if (form !== undefined) {
    const { headers, body } = multipart(form);
    return { headers, content: told(body, onSent, onProgress) };
  }
  if (json === undefined || json.length < pieceBytes) return { headers: {}, content: json };
  return {
    headers: { 'content-length': String(Buffer.byteLength(json)) },
    content: told(piecesOf(json), onSent, onProgress),
  };
};

/** Smaller texts leave at once. */
const pieceBytes = 64 * 1024;

/** Encodes a piece once it is asked for: many megabytes at once would hold everything else up. */
function* piecesOf(text: string): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < text.length;) {
    const end = at + pieceBytes;
    // Both halves of a surrogate pair are in one piece.
    const next = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield Buffer.from(text.slice(at, next));
    at = next;
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd8_00 && unit <= 0xdb_ff;

/** Hands the pieces on. A piece was taken once the next one is asked for. */
async function* told(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  onSent?: () => void,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let last: Uint8Array | undefined;
  for await (const piece of pieces) {
    if (last !== undefined) {
      yield last;
      onProgress?.(last.byteLength);
    }
    last = piece;
  }
  onSent?.();
  if (last !== undefined) yield last;
}

/**
 * Views the data as a plain `Uint8Array`, since a picture would inherit a subclass such as `Buffer`. A detached buffer is
 * empty; undefined for a value that the types exclude.
 */
export const bytesOf = (data: ArrayBuffer | Uint8Array): Uint8Array | undefined => {
  if (data instanceof ArrayBuffer) return data.byteLength === 0 ? new Uint8Array() : new Uint8Array(data);
  return data instanceof Uint8Array && data.constructor === Uint8Array ? data : bytesOfOther(data);
};

/** Other views, shared memory, and buffers of another realm, which fail `instanceof`. */
const bytesOfOther = (data: unknown): Uint8Array | undefined => {
  try {
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return isBuffer(data) ? new Uint8Array(data) : undefined;
  } catch {
    return undefined;
  }
};

const isBuffer = (data: unknown): data is ArrayBuffer =>
  typeof data === 'object' &&
  data !== null &&
  /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(data));

/** Reads 32 bits, big-endian; the caller has checked that four bytes are there. */
export const uint32 = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)) >>>
  0;

const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });
const strictUtf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The decoder's replacement for invalid bytes; valid text may contain it as well. */
const replacement = '\uFFFD';

/** Decodes UTF-8, undefined if the bytes are invalid. The slower strict decoder only runs where the result is ambiguous. */
export const textOf = (bytes: Uint8Array, start: number, end: number): string | undefined => {
  const view = bytes.subarray(start, end);
  const text = utf8.decode(view);
  return text.includes(replacement) ? strictTextOf(view) : text;
};

const strictTextOf = (bytes: Uint8Array): string | undefined => {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
};

/** Metadata is a handful of ids; a greater length is an error. */
export const maxMetadataBytes = 64 * 1024;

/** Where the bytes of a length-prefixed id are. */
export interface Field {
  readonly start: number;
  readonly end: number;
}

/** Reads a length-prefixed id; undefined if it runs past the end or is empty. */
export const fieldAt = (bytes: Uint8Array, at: number): Field | undefined => {
  if (at + 4 > bytes.length) return undefined;
  const start = at + 4;
  const end = start + uint32(bytes, at);
  return end > start && end <= bytes.length ? { start, end } : undefined;
};

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether the first id is a UUID and another id follows: the newer layout of type 3, by appearance. */
export const startsWithPromptId = (bytes: Uint8Array, first: Field): boolean =>
  first.end - first.start === 36 &&
  fieldAt(bytes, first.end) !== undefined &&
  uuid.test(textOf(bytes, first.start, first.end) ?? '');

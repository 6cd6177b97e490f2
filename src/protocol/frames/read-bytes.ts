/** The callers have checked that four bytes are there. */
export const uint32 = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)) >>>
  0;

const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });
const strictUtf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What stands for bytes that are no UTF-8; a text may also have it of its own. */
const replacement = '\uFFFD';

/** Undefined where the bytes are not UTF-8, which is looked at once more only where the text leaves it open. */
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

/** Metadata is a handful of ids; a length beyond this is no length. */
export const maxMetadataBytes = 64 * 1024;

/** An id with its length before it: where its bytes are. */
export interface Field {
  readonly start: number;
  readonly end: number;
}

/** Undefined where length or id run past the end, and for an empty id, which names nothing. */
export const fieldAt = (bytes: Uint8Array, at: number): Field | undefined => {
  if (at + 4 > bytes.length) return undefined;
  const start = at + 4;
  const end = start + uint32(bytes, at);
  return end > start && end <= bytes.length ? { start, end } : undefined;
};

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const startsWithPromptId = (bytes: Uint8Array, first: Field): boolean =>
  first.end - first.start === 36 &&
  fieldAt(bytes, first.end) !== undefined &&
  uuid.test(textOf(bytes, first.start, first.end) ?? '');

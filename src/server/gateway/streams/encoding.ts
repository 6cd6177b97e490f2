import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** How a stream is written: Server-Sent Events, or one JSON object a line. */
export interface Encoding {
  readonly event: (id: string, event: string, data: unknown) => Uint8Array;
  /** The same of data whose JSON is there in parts, which readers may share. */
  readonly eventOf: (id: string, event: string, data: readonly Uint8Array[]) => readonly Uint8Array[];
  /** A sign of life that is no event. */
  readonly keepAlive: Uint8Array;
  /** Says when to come back, before a stream ends that is not over. */
  readonly retry: (ms: number) => Uint8Array;
}

const encoder = new TextEncoder();
const bytes = (text: string): Uint8Array => encoder.encode(text);

/** The encodings by name; ids hold no line breaks and no quotes. */
export const encodings: Readonly<Record<'sse' | 'ndjson', Encoding>> = {
  sse: {
    event: (id, event, data) => bytes(`id: ${id}\nevent: ${event}\ndata: ${writeExactJson(data)}\n\n`),
    eventOf: (id, event, data) => [bytes(`id: ${id}\nevent: ${event}\ndata: `), ...data, bytes('\n\n')],
    keepAlive: bytes(': keep-alive\n\n'),
    retry: (ms) => bytes(`retry: ${ms}\n`),
  },
  ndjson: {
    event: (id, event, data) => bytes(`{"id":"${id}","event":"${event}","data":${writeExactJson(data)}}\n`),
    eventOf: (id, event, data) => [bytes(`{"id":"${id}","event":"${event}","data":`), ...data, bytes('}\n')],
    keepAlive: bytes('\n'),
    retry: () => new Uint8Array(),
  },
};

/** From this size on a piece is sent as it is. */
const largeBytes = 16_384;

/** Puts small pieces that follow each other into one chunk; a large piece, or a single one, is a chunk of its own that readers share. */
export const chunked = (pieces: readonly Uint8Array[]): readonly Uint8Array[] => {
  if (pieces.length <= 1) return pieces;
  const chunks: Uint8Array[] = [];
  let small: Uint8Array[] = [];
  const flush = (): void => {
    const [first] = small;
    if (first !== undefined) chunks.push(small.length === 1 ? first : joined(small));
    small = [];
  };
  for (const piece of pieces) {
    if (piece.length < largeBytes) small.push(piece);
    else {
      flush();
      chunks.push(piece);
    }
  }
  flush();
  return chunks;
};

const joined = (pieces: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
};

/**
 * Makes the bytes of something once for all readers at the same place of the log, which have the same ids. Of each name the newest place
 * is kept, as long as the object lives, and of an object the last eight names.
 */
export type EncodedOnce = (
  of: object,
  name: string,
  place: string,
  make: () => readonly Uint8Array[],
) => readonly Uint8Array[];

/** How many names are kept of one object. */
const maxNames = 8;

/** Makes an empty {@link EncodedOnce}. */
export const encodedOnce = (): EncodedOnce => {
  interface Kept {
    readonly place: string;
    readonly events: readonly Uint8Array[];
  }
  const kept = new WeakMap<object, Map<string, Kept>>();
  return (of, name, place, make) => {
    let own = kept.get(of);
    if (own === undefined) kept.set(of, (own = new Map<string, Kept>()));
    const known = own.get(name);
    if (known?.place === place) return known.events;
    const events = make();
    own.delete(name);
    own.set(name, { place, events });
    // The name has the address by which a reader came, of which it may send any number.
    for (const oldest of own.keys()) {
      if (own.size <= maxNames) break;
      own.delete(oldest);
    }
    return events;
  };
};

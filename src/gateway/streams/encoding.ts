import { writeExactJson } from '../../protocol/json/exact-json.js';

/** How a stream is written: Server-Sent Events, or one JSON object a line. */
export interface Encoding {
  /** What comes before the rest of an event. */
  readonly head: (id: string) => Uint8Array;
  /** An event without its id: the same bytes for all readers. */
  readonly tail: (event: string, data: unknown) => Uint8Array;
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
    head: (id) => bytes(`id: ${id}\n`),
    tail: (event, data) => bytes(`event: ${event}\ndata: ${writeExactJson(data)}\n\n`),
    keepAlive: bytes(': keep-alive\n\n'),
    retry: (ms) => bytes(`retry: ${ms}\n`),
  },
  ndjson: {
    head: (id) => bytes(`{"id":"${id}",`),
    tail: (event, data) => bytes(`"event":"${event}","data":${writeExactJson(data)}}\n`),
    keepAlive: bytes('\n'),
    retry: () => new Uint8Array(),
  },
};

/** From this size on a piece is sent as it is, so that all readers share its bytes. */
const largeBytes = 16_384;

/** Puts small pieces that follow each other into one chunk; a large piece is a chunk of its own. */
export const chunked = (pieces: readonly Uint8Array[]): readonly Uint8Array[] => {
  const chunks: Uint8Array[] = [];
  let small: Uint8Array[] = [];
  const flush = (): void => {
    if (small.length > 0) chunks.push(joined(small));
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

/** Makes a value once for each object and name; it lives as long as the object. */
export const shared = <Value>(): ((of: object, name: string, make: () => Value) => Value) => {
  const kept = new WeakMap<object, Map<string, Value>>();
  return (of, name, make) => {
    let own = kept.get(of);
    if (own === undefined) kept.set(of, (own = new Map<string, Value>()));
    let value = own.get(name);
    if (value === undefined) own.set(name, (value = make()));
    return value;
  };
};

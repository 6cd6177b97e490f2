/** One event of a stream as the judge reads it. */
export interface Seen {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** What a read came to: an event, the stream's end, an error of the stream, or nothing in `patienceMs`. */
export type Read = Seen | 'end' | 'error' | 'silence';

/** Reads a stream of the gateway event by event: the judge's own reading of Server-Sent Events and NDJSON. */
export interface StreamReading {
  readonly next: () => Promise<Read>;
  /** The next event that has arrived already, if one has. */
  readonly arrived: () => Seen | undefined;
  /** Leaves the stream; what it had sent beyond the last event is lost. */
  readonly cut: () => Promise<void>;
}

const patienceMs = 3_000;

export const readStream = (
  stream: ReadableStream<Uint8Array>,
  format: 'sse' | 'ndjson',
  patience = patienceMs,
): StreamReading => {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const end = format === 'sse' ? '\n\n' : '\n';
  const parse = format === 'sse' ? readEventBlock : readEventLine;

  const arrived = (): Seen | undefined => {
    for (;;) {
      const at = text.indexOf(end);
      if (at === -1) return undefined;
      const piece = text.slice(0, at);
      text = text.slice(at + end.length);
      const event = parse(piece);
      if (event !== undefined) return event;
    }
  };
  const next = async (): Promise<Read> => {
    for (;;) {
      const event = arrived();
      if (event !== undefined) return event;
      const read = await withPatience(reader.read(), patience);
      if (typeof read === 'string') return read;
      if (read.done) return 'end';
      text += decoder.decode(read.value, { stream: true });
    }
  };
  return { next, arrived, cut: () => reader.cancel().catch(() => undefined) };
};

const withPatience = async <A>(reading: Promise<A>, patience: number): Promise<A | 'silence' | 'error'> => {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<'silence'>((resolve) => {
    timer = setTimeout(() => resolve('silence'), patience);
  });
  const read = reading.catch(() => 'error' as const);
  return Promise.race([read, silence]).finally(() => clearTimeout(timer));
};

/** Lines `name: value`; a line that begins with a colon is a comment, and a block without data is no event. */
const readEventBlock = (block: string): Seen | undefined => {
  let [id, event] = ['', 'message'];
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? [];
    if (name === 'id') id = value;
    if (name === 'event') event = value;
    if (name === 'data') data.push(value);
  }
  if (data.length === 0) return undefined;
  return { id, event, data: JSON.parse(data.join('\n')) as Seen['data'] };
};

const readEventLine = (line: string): Seen | undefined =>
  line === '' ? undefined : (JSON.parse(line) as Seen);

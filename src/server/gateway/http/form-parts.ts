/** Takes the content of one part of a form. */
export interface PartSink {
  readonly add: (bytes: Uint8Array) => void;
  /** The part is whole. */
  readonly close: () => void;
}

/** Splits a form into its parts while its bytes arrive. */
export interface FormParts {
  /** Reads on; false where the bytes are no form of this boundary. */
  readonly push: (bytes: Uint8Array) => boolean;
  /** Whether the last boundary has come. */
  readonly isWhole: () => boolean;
}

/** A part's head may have so many bytes. */
const maxHeadBytes = 16 * 1024;

/**
 * Makes {@link FormParts} of a boundary. `open` gets the head of each part, its header lines, and what it throws leaves `push`.
 *
 * Between two pieces it keeps no more than a head, or the beginning of a boundary.
 */
export const formParts = (boundary: string, open: (head: string) => PartSink): FormParts => {
  const delimiter = bytesOf(`\r\n--${boundary}`);
  /** What is before the first boundary, which needs no line end before it, counts for nothing. */
  let kept: Uint8Array = bytesOf('\r\n');
  let state: keyof typeof steps = 'content';
  let part: PartSink | undefined;

  /** Each makes one step through what is kept, in its state; false where that takes more bytes. */
  const steps = {
    content: (): boolean => {
      const at = indexOf(kept, delimiter);
      const known = at === -1 ? Math.max(0, kept.length - delimiter.length + 1) : at;
      if (known > 0) part?.add(kept.subarray(0, known));
      kept = kept.subarray(at === -1 ? known : at + delimiter.length);
      if (at === -1) return false;
      part?.close();
      part = undefined;
      state = 'boundary';
      return true;
    },
    boundary: (): boolean => {
      if (kept.length < 2) return false;
      state = kept[0] === hyphen && kept[1] === hyphen ? 'end' : 'head';
      return true;
    },
    head: (): boolean | 'malformed' => {
      const at = indexOf(kept, endOfHead);
      if (at === -1 ? kept.length > maxHeadBytes : at > maxHeadBytes) return 'malformed';
      if (at === -1) return false;
      const [padding = '', ...lines] = textOf(kept.subarray(0, at)).split('\r\n');
      if (padding.trim() !== '') return 'malformed';
      part = open(lines.join('\r\n'));
      kept = kept.subarray(at + endOfHead.length);
      state = 'content';
      return true;
    },
    end: (): boolean => {
      kept = kept.subarray(kept.length);
      return false;
    },
  };

  return {
    push: (bytes) => {
      kept = kept.length === 0 ? bytes : joined(kept, bytes);
      for (let went = steps[state](); went !== false; went = steps[state]())
        if (went === 'malformed') return false;
      return true;
    },
    isWhole: () => state === 'end',
  };
};

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const hyphen = 0x2d;
const endOfHead = bytesOf('\r\n\r\n');

const joined = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
};

/** Where a sequence of bytes stands first; -1 where it does not. */
const indexOf = (bytes: Uint8Array, sequence: Uint8Array): number => {
  const [first = 0] = sequence;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1))
    if (sequence.every((byte, offset) => bytes[at + offset] === byte)) return at;
  return -1;
};

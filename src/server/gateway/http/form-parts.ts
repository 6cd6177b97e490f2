/** Takes the content of one part of a form. */
export interface PartSink {
  readonly add: (bytes: Uint8Array) => void;
  /** The part is whole. */
  readonly close: () => void;
}

/** Splits a form into its parts while its bytes arrive. */
export interface FormParts {
  /** Takes the next bytes; false if they are not a form with this boundary. */
  readonly push: (bytes: Uint8Array) => boolean;
  /** Whether the last boundary has come. */
  readonly isWhole: () => boolean;
}

/** How far a form is read. */
interface Reading {
  /** The bytes that no step has taken yet. */
  kept: Uint8Array;
  state: 'content' | 'boundary' | 'head' | 'end';
  part: PartSink | undefined;
}

/** The most bytes that the head of a part may have. */
const maxHeadBytes = 16 * 1024;

/**
 * Makes {@link FormParts} of a boundary. `open` gets the head of each part, its header lines, and what it throws leaves `push`.
 *
 * Between two pieces it keeps no more than a head, or the beginning of a boundary.
 */
export const formParts = (boundary: string, open: (head: string) => PartSink): FormParts => {
  const delimiter = bytesOf(`\r\n--${boundary}`);
  // Anything before the first boundary is ignored; the first boundary needs no line end before it.
  const form: Reading = { kept: bytesOf('\r\n'), state: 'content', part: undefined };

  /** One step of each state through the kept bytes; false if the step needs more bytes. */
  const steps = {
    content: (): boolean => {
      const at = indexOf(form.kept, delimiter);
      const known = at === -1 ? Math.max(0, form.kept.length - delimiter.length + 1) : at;
      if (known > 0) form.part?.add(form.kept.subarray(0, known));
      form.kept = form.kept.subarray(at === -1 ? known : at + delimiter.length);
      if (at === -1) return false;
      form.part?.close();
      form.part = undefined;
      form.state = 'boundary';
      return true;
    },
    boundary: (): boolean => {
      if (form.kept.length < 2) return false;
      form.state = form.kept[0] === hyphen && form.kept[1] === hyphen ? 'end' : 'head';
      return true;
    },
    head: (): boolean | 'malformed' => {
      const at = indexOf(form.kept, endOfHead);
      if (at === -1 ? form.kept.length > maxHeadBytes : at > maxHeadBytes) return 'malformed';
      if (at === -1) return false;
      const [padding = '', ...lines] = textOf(form.kept.subarray(0, at)).split('\r\n');
      if (padding.trim() !== '') return 'malformed';
      form.part = open(lines.join('\r\n'));
      form.kept = form.kept.subarray(at + endOfHead.length);
      form.state = 'content';
      return true;
    },
    end: (): boolean => {
      form.kept = form.kept.subarray(form.kept.length);
      return false;
    },
  };

  return {
    push: (bytes) => {
      form.kept = form.kept.length === 0 ? bytes : joined(form.kept, bytes);
      for (let went = steps[form.state](); went !== false; went = steps[form.state]())
        if (went === 'malformed') return false;
      return true;
    },
    isWhole: () => form.state === 'end',
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

/** The index of the first occurrence of a sequence of bytes; -1 if there is none. */
const indexOf = (bytes: Uint8Array, sequence: Uint8Array): number => {
  const [first = 0] = sequence;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1))
    if (sequence.every((byte, offset) => bytes[at + offset] === byte)) return at;
  return -1;
};

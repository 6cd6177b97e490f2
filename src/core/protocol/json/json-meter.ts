/** How much a JSON text may hold. */
export interface JsonBounds {
  /** How deep objects and arrays may stand within each other. */
  readonly levels: number;
  /** How many values there may be, members and elements counted alike. */
  readonly values: number;
  /** How many digits may stand next to each other in a number; default any. */
  readonly digits?: number;
}

/**
 * The deepest nesting of a document that a server takes. What reads and writes JSON here calls itself for each level, and real workflows
 * have a dozen.
 */
export const maxLevels = 64;

/** The most digits of a number that a server takes: the time to read an integer grows faster than they do. */
export const maxDigits = 1_000;

/**
 * Measures a JSON text in UTF-8 as its bytes arrive, so that one which would exhaust the stack or block the program is never parsed.
 *
 * It finds nesting, delimiters and digits outside of strings and checks nothing else: invalid JSON stays the parser's to refuse.
 */
export class JsonMeter {
  private readonly bounds: JsonBounds;
  private depth = 0;
  private values = 1;
  /** The digits just before the next byte. */
  private digits = 0;
  private inString = false;
  /** Whether the last byte so far escapes the next one. */
  private isEscaped = false;

  constructor(bounds: JsonBounds) {
    this.bounds = bounds;
  }

  /** Reads on; gives the bound that the text exceeds, once it does. */
  push(bytes: Uint8Array): keyof JsonBounds | undefined {
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.inString) {
        at = this.endOfString(bytes, at);
        continue;
      }
      const byte = bytes[at] ?? 0;
      if (this.isDigitTooMany(byte)) return 'digits';
      if (byte === quote) this.inString = true;
      else if (byte === brace || byte === bracket) {
        this.depth += 1;
        this.values += 1;
      } else if (byte === endOfBrace || byte === endOfBracket) this.depth -= 1;
      else if (byte === comma) this.values += 1;
      if (this.depth > this.bounds.levels) return 'levels';
      if (this.values > this.bounds.values) return 'values';
    }
    return undefined;
  }

  private isDigitTooMany(byte: number): boolean {
    this.digits = byte >= zero && byte <= nine ? this.digits + 1 : 0;
    return this.digits > (this.bounds.digits ?? Infinity);
  }

  /** Finds the closing quote of the string that the bytes from `start` on belong to, or their end. */
  private endOfString(bytes: Uint8Array, start: number): number {
    for (let from = start; ;) {
      const end = bytes.indexOf(quote, from);
      const until = end === -1 ? bytes.length : end;
      let escapes = 0;
      while (until - escapes > start && bytes[until - escapes - 1] === backslash) escapes += 1;
      const isOfLast = until - escapes === start && this.isEscaped;
      const isEscaped = (escapes + (isOfLast ? 1 : 0)) % 2 === 1;
      if (end === -1) {
        this.isEscaped = isEscaped;
        return until;
      }
      if (!isEscaped) {
        this.inString = false;
        this.isEscaped = false;
        return end;
      }
      from = end + 1;
    }
  }
}

const zero = 0x30;
const nine = 0x39;
const quote = 0x22;
const comma = 0x2c;
const bracket = 0x5b;
const backslash = 0x5c;
const endOfBracket = 0x5d;
const brace = 0x7b;
const endOfBrace = 0x7d;

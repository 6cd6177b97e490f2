import { commandOptions } from '../command-options.js';

/** A member of a JSON object; the value is the text of it. */
export interface Member {
  readonly name: string;
  readonly text: string;
}

/** The bytes are no JSON object, or a member of it is larger than a node class can be. */
export class UnreadableObject extends Error {
  override readonly name = 'UnreadableObject';
}

/** What comes next in the object. */
type Expected = 'object' | 'name' | 'colon' | 'value' | 'comma' | 'nothing';

/**
 * Reads the members of one JSON object from its bytes as they come, and holds one member at a time.
 *
 * It finds where a value ends by its braces, brackets and strings; whether it is valid, its reader says.
 */
export async function* membersOf(
  source: AsyncIterable<Uint8Array>,
  maxBytes = defaultMaxBytes,
): AsyncGenerator<Member> {
  let expected: Expected = 'object';
  let name = '';
  let token: Token | undefined;
  let isFirst = true;

  for await (const chunk of source) {
    let at = isFirst ? byteOrderMarkLength(chunk) : 0;
    isFirst = false;
    while (at < chunk.length) {
      if (token === undefined) {
        const byte = chunk[at] ?? 0;
        if (blanks.has(byte)) at += 1;
        else if (expected === 'value' || (expected === 'name' && byte === quote)) token = newToken(maxBytes);
        else {
          expected = afterPunctuation(expected, byte);
          at += 1;
        }
        continue;
      }
      at = token.take(chunk, at);
      if (!token.isOver()) break;
      const text = token.text();
      token = undefined;
      if (expected === 'name') {
        name = nameIn(text);
        expected = 'colon';
      } else {
        expected = 'comma';
        yield { name, text };
      }
    }
  }
  if (expected !== 'nothing') throw new UnreadableObject('it is no whole JSON object');
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const blanks: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09]);

const byteOrderMarkLength = (chunk: Uint8Array): number =>
  chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;

const afterPunctuation = (expected: Expected, byte: number): Expected => {
  if (expected === 'object' && byte === openBrace) return 'name';
  if (expected === 'colon' && byte === colon) return 'value';
  if (expected === 'comma' && byte === comma) return 'name';
  if ((expected === 'comma' || expected === 'name') && byte === closeBrace) return 'nothing';
  throw new UnreadableObject('it is no JSON object');
};

const nameIn = (text: string): string => {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new UnreadableObject('it is no JSON object: one of its names is no JSON string');
  }
};

/** The most bytes that one member may have: as many as an answer of `object_info`. */
const defaultMaxBytes = 128 * 1024 * 1024;

/** A value or name that is being read. */
interface Token {
  /** Takes bytes from a position on; gives the position of the first byte after it. */
  readonly take: (chunk: Uint8Array, start: number) => number;
  readonly isOver: () => boolean;
  readonly text: () => string;
}

const newToken = (most: number): Token => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let isOver = false;

  /** Takes one byte; false if it does not belong to the value any more. */
  const takeByte = (byte: number): boolean => {
    if (inString) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) {
        inString = false;
        isOver = depth === 0;
      }
      return true;
    }
    if (byte === quote) inString = true;
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      // The brace after a number or word is that of the object around it.
      isOver = depth <= 1;
      depth -= 1;
      return depth >= 0;
    } else if (depth === 0 && (byte === comma || blanks.has(byte))) {
      isOver = true;
      return false;
    }
    return true;
  };

  const endIn = (chunk: Uint8Array, start: number): number => {
    for (let at = start; at < chunk.length; at += 1) {
      if (!takeByte(chunk[at] ?? 0)) return at;
      if (isOver) return at + 1;
    }
    return chunk.length;
  };

  return {
    take: (chunk, start) => {
      const end = endIn(chunk, start);
      parts.push(chunk.subarray(start, end));
      bytes += end - start;
      if (bytes > most)
        throw new UnreadableObject(
          `one of its members is larger than ${most} bytes: ${commandOptions['maxAnswerBytes']} raises that bound`,
        );
      return end;
    },
    isOver: () => isOver,
    text: () => Buffer.concat(parts).toString('utf8'),
  };
};

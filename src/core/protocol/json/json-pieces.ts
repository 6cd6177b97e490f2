import { isJsonSpace } from './json.js';

/** Where a value stands in a JSON text: names of members and indices of elements, from the outside in. */
export type JsonPath = readonly (string | number)[];

/** What to do with the value at a path, other than the whole: hand its text over (`part`), or drop it (`skip`); undefined looks for values inside it. */
export type PieceOf = (path: JsonPath) => 'part' | 'skip' | undefined;

/** The text of one value. */
export interface JsonPiece {
  readonly path: JsonPath;
  readonly text: string;
}

/**
 * Takes values out of a JSON text that arrives in chunks, so that each can be parsed apart, or not at all. What is left has `null` in
 * their places.
 *
 * It finds where values begin and end without checking them: invalid JSON stays invalid in what is left, or in a piece.
 */
export class JsonPieces {
  /** What is left of the text so far. */
  rest = '';
  /** Characters that were kept: of the rest and of all pieces. */
  kept = 0;
  private readonly pieceOf: PieceOf;
  private readonly levels: Level[] = [];
  private done: JsonPiece[] = [];
  /** The value that is being taken out. */
  private piece: { readonly path: JsonPath; readonly depth: number; texts: string[] | undefined } | undefined;
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  private inScalar = false;
  /** The name of a member as it is written, while it is read. */
  private name: string | undefined;

  constructor(pieceOf: PieceOf) {
    this.pieceOf = pieceOf;
  }

  /** Reads on, and gives the pieces that are whole now. */
  push(text: string): readonly JsonPiece[] {
    let from = 0;
    const flush = (to: number): void => {
      this.keep(text.slice(from, to));
      from = to;
    };
    const endValue = (to: number): void => {
      if (this.piece === undefined || this.depth !== this.piece.depth) return;
      flush(to);
      const { path, texts } = this.piece;
      if (texts !== undefined) this.done.push({ path, text: texts.join('') });
      this.piece = undefined;
    };
    for (let at = 0; at < text.length; at += 1) {
      if (this.inString) {
        at = this.readString(text, at, endValue);
        continue;
      }
      const code = text.charCodeAt(at);
      if (code === space && this.piece === undefined) {
        const next = endOfBlanks(text, at);
        if (next - at > maxBlanks) {
          flush(at);
          from = next;
        }
        if (this.inScalar) this.inScalar = false;
        at = next - 1;
        continue;
      }
      if (this.inScalar && isDelimiter(code)) {
        this.inScalar = false;
        endValue(at);
      }
      if (code === endOfBrace || code === endOfBracket) {
        this.depth -= 1;
        if (this.piece === undefined) this.levels.pop();
        endValue(at + 1);
      } else if (code === comma) this.nextMember();
      else if (!this.inScalar && !isDelimiter(code)) this.begin(code, () => flush(at));
    }
    flush(text.length);
    const { done } = this;
    this.done = [];
    return done;
  }

  /** Begins a name or a value at this character. */
  private begin(code: number, flush: () => void): void {
    const level = this.levels.at(-1);
    const isName = this.piece === undefined && level?.isObject === true && !level.isNamed;
    if (this.piece === undefined && !isName) this.beginPiece(flush);
    if (code === quote) {
      this.inString = true;
      this.name = isName ? '' : undefined;
    } else if (code === brace || code === bracket) {
      this.depth += 1;
      if (this.piece === undefined)
        this.levels.push({ isObject: code === brace, isNamed: false, name: '', index: 0 });
    } else this.inScalar = true;
  }

  private beginPiece(flush: () => void): void {
    const path = this.levels.map(({ isObject, name, index }) => (isObject ? name : index));
    const kind = this.pieceOf(path);
    if (kind === undefined) return;
    flush();
    this.rest += 'null';
    this.piece = { path, depth: this.depth, texts: kind === 'part' ? [] : undefined };
  }

  private nameMember(): void {
    const level = this.levels.at(-1);
    if (level !== undefined) {
      level.name = unescaped(this.name ?? '');
      level.isNamed = true;
    }
    this.name = undefined;
  }

  private nextMember(): void {
    const level = this.piece === undefined ? this.levels.at(-1) : undefined;
    if (level === undefined) return;
    level.isNamed = false;
    level.index += 1;
  }

  /** Reads a string, or the name of a member, as far as it has come; gives the place of its closing quote, or the text's end. */
  private readString(text: string, start: number, endValue: (to: number) => void): number {
    const { at, isFound } = this.endOfString(text, start);
    if (this.name !== undefined) this.name += text.slice(start, at);
    if (!isFound) return at;
    this.inString = false;
    if (this.name === undefined) endValue(at + 1);
    else this.nameMember();
    return at;
  }

  /** Finds the closing quote, or the text's end. */
  private endOfString(text: string, start: number): { readonly at: number; readonly isFound: boolean } {
    let at = start;
    if (this.isEscaped) at += 1;
    this.isEscaped = false;
    for (;;) {
      special.lastIndex = at;
      const found = special.exec(text);
      if (found === null) return { at: text.length, isFound: false };
      if (found[0] === '"') return { at: found.index, isFound: true };
      at = found.index + 2;
      if (at > text.length) {
        this.isEscaped = true;
        return { at: text.length, isFound: false };
      }
    }
  }

  private keep(text: string): void {
    if (this.piece === undefined) this.rest += text;
    else if (this.piece.texts === undefined) return;
    else this.piece.texts.push(text);
    this.kept += text.length;
  }
}

interface Level {
  readonly isObject: boolean;
  /** Whether the name of the member has come. */
  isNamed: boolean;
  name: string;
  index: number;
}

const unescaped = (written: string): string => {
  if (!written.includes('\\')) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
};

const endOfBlanks = (text: string, start: number): number => {
  let at = start;
  while (text.charCodeAt(at) === space) at += 1;
  return at;
};

/** Longer runs of blanks between values are not kept. */
const maxBlanks = 64;

const special = /["\\]/gu;

const isDelimiter = (code: number): boolean =>
  isJsonSpace(code) || code === comma || code === colon || code === endOfBrace || code === endOfBracket;

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const bracket = 0x5b;
const endOfBracket = 0x5d;
const brace = 0x7b;
const endOfBrace = 0x7d;

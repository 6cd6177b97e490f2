import type { Clock } from '../platform/platform.js';
import { countValues, isJsonObject, tooManyValues } from '../protocol/json/json.js';
import { JsonPieces, type JsonPath, type JsonPiece, type PieceOf } from '../protocol/json/json-pieces.js';
import { parseJson } from '../protocol/json/parse-json.js';
import { parseSent } from '../protocol/json/parse-sent.js';
import type { KeptNumbers } from '../endpoints/endpoint.js';
import type { RedactValue } from '../redaction/redact-value.js';

/** Which values of an answer are read apart, how many bytes it may have, and how secrets leave it. */
export interface PiecesReaderOptions {
  readonly clock: Clock;
  readonly redactValue: RedactValue;
  /** Which values are parsed apart, and which are not read at all. */
  readonly pieceOf: PieceOf;
  /** The most characters that are kept; what is skipped does not count. */
  readonly most: number;
  /** What of it is data whose numbers stay as sent. */
  readonly keepsNumbers?: KeptNumbers;
  /** Called where there are more. */
  readonly tooLarge: () => void;
  /** Called where it holds too many values. */
  readonly tooMany: () => void;
}

/** Parses a large JSON text while it comes. */
export interface PiecesReader {
  /**
   * Parses the pieces that are whole, and keeps the text of what is not. False if that can't be: a piece is no JSON, or there is too
   * much of it.
   */
  readonly take: (text: string) => Promise<boolean>;
  /** Takes the rest and gives the value; undefined for the same reasons. */
  readonly end: (text: string) => Promise<unknown>;
}

/**
 * Parses a large JSON text while it comes: some of its values apart, yielding to the event loop in between, and some not at all, with
 * `null` in their places. What it gives is redacted.
 */
export const piecesReader = ({
  clock,
  redactValue,
  pieceOf,
  most,
  keepsNumbers,
  tooLarge,
  tooMany,
}: PiecesReaderOptions): PiecesReader => {
  const pieces = new JsonPieces(pieceOf);
  const values: (readonly [path: JsonPath, value: unknown])[] = [];
  let count = 0;
  let since = clock.now();

  /** Parses a piece; false if it can't be. */
  const add = async ({ path, text }: JsonPiece): Promise<boolean> => {
    const own = countValues(text, maxInPiece);
    count += own;
    if (own > maxInPiece || count > maxInAll) {
      tooMany();
      return false;
    }
    const isKept = keepsNumbers === 'all' || (keepsNumbers === 'outputs' && path.at(-2) === 'outputs');
    const value = isKept ? parseSent(text) : parseJson(text);
    if (value === undefined) return false;
    values.push([path, redactValue(value, text)]);
    if (clock.now() - since < workMs) return true;
    await new Promise<void>((resolve) => clock.after(0, resolve));
    since = clock.now();
    return true;
  };
  const take = async (text: string): Promise<boolean> => {
    for (const piece of pieces.push(text)) if (!(await add(piece))) return false;
    if (pieces.kept > most) tooLarge();
    return pieces.kept <= most;
  };

  return {
    take,
    end: async (text) => {
      if (!(await take(text))) return undefined;
      const { rest } = pieces;
      if (tooManyValues(rest, maxInAll)) {
        tooMany();
        return undefined;
      }
      const json = keepsNumbers === 'all' ? parseSent(rest) : parseJson(rest);
      for (const [path, value] of values) putAt(json, path, value);
      // The pieces are clean: where the rest is so as well, nothing of it is walked.
      return redactValue(json, rest);
    },
  };
};

/** Puts a value in its place, which has `null`. */
const putAt = (json: unknown, path: JsonPath, value: unknown): void => {
  const last = path.at(-1);
  const holder = path.slice(0, -1).reduce((at: unknown, name) => memberOf(at, name), json);
  if (last === undefined || memberOf(holder, last) !== null) return;
  // A name such as `__proto__` is a member as well.
  Reflect.defineProperty(holder as object, last, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
};

const memberOf = (holder: unknown, name: string | number): unknown =>
  (isJsonObject(holder) || Array.isArray(holder)) && Object.hasOwn(holder, name)
    ? (holder as Readonly<Record<string | number, unknown>>)[name]
    : undefined;

/** How long parsing may block the event loop at once. */
const workMs = 15;

const maxInPiece = 250_000;

/** A service with 60 MB of node classes has some two million values. */
const maxInAll = 4_000_000;

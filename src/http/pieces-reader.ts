import type { Clock } from '../platform/platform.js';
import { countValues, isJsonObject, tooManyValues } from '../protocol/json/json.js';
import { JsonPieces, type JsonPath, type JsonPiece, type PieceOf } from '../protocol/json/json-pieces.js';
import type { MembersReader } from './members-reader.js';
import { parseJson } from '../protocol/json/parse-json.js';
import type { RedactValue } from '../redaction/redact-value.js';

/** What {@link piecesReader} needs. */
export interface PiecesReaderOptions {
  readonly clock: Clock;
  readonly redactValue: RedactValue;
  /** Which values are parsed apart, and which are not read at all. */
  readonly pieceOf: PieceOf;
  /** The most characters that are kept; what is skipped does not count. */
  readonly most: number;
  /** Called where there are more. */
  readonly tooLarge: () => void;
}

/**
 * Parses a large JSON text while it comes: some of its values apart, yielding to the event loop in between, and some not at all, with
 * `null` in their places. As a `MembersReader` otherwise.
 */
export const piecesReader = ({
  clock,
  redactValue,
  pieceOf,
  most,
  tooLarge,
}: PiecesReaderOptions): MembersReader => {
  const pieces = new JsonPieces(pieceOf);
  const values: (readonly [path: JsonPath, value: unknown])[] = [];
  let since = clock.now();

  /** Parses a piece; false where it can't be. */
  const add = async ({ path, text }: JsonPiece): Promise<boolean> => {
    const value = countValues(text, mostInPiece) > mostInPiece ? undefined : parseJson(text);
    if (value === undefined) return false;
    values.push([path, redactValue(value, text)]);
    if (clock.now() - since < workMs) return true;
    await new Promise<void>((resolve) => clock.after(0, resolve));
    since = clock.now();
    return true;
  };
  const take = async (text: string): Promise<string | undefined> => {
    for (const piece of pieces.push(text)) if (!(await add(piece))) return undefined;
    if (pieces.kept <= most) return '';
    tooLarge();
    return undefined;
  };

  return {
    take,
    end: async (text) => {
      if ((await take(text)) === undefined) return undefined;
      const { rest } = pieces;
      const root = tooManyValues(rest) ? undefined : parseJson(rest);
      const json = redactValue(root, rest);
      for (const [path, value] of values) putAt(json, path, value);
      return json;
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

const mostInPiece = 250_000;

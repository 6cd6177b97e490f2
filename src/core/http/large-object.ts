import type { Clock } from '../platform/platform.js';
import type { PiecesReader } from './pieces-reader.js';
import type { KeptNumbers } from '../endpoints/endpoint.js';
import type { PieceOf } from '../protocol/json/json-pieces.js';
import type { RedactValue } from '../redaction/redact-value.js';

/** A JSON object that may be large, whose reader is loaded once it is; most answers are small and need no more than `JSON.parse`. */
export interface LargeObject {
  /** Takes the text that has come; false if it can't be read. */
  readonly take: (text: string) => Promise<boolean>;
  /** Takes the rest and gives the value; undefined if it can't be read. */
  readonly end: (text: string) => Promise<unknown>;
  /** Whether a part of the text was taken. */
  readonly hasBegun: () => boolean;
  /** Whether more of it had to be kept than may be. */
  readonly isTooLarge: () => boolean;
  /** Whether it holds too many values. */
  readonly holdsTooMany: () => boolean;
}

/** Which values of an object are read apart, how many bytes it may have, and how secrets leave it. */
export interface LargeObjectOptions {
  readonly clock: Clock;
  readonly redactValue: RedactValue;
  /** Which values are parsed apart. */
  readonly pieces: PieceOf;
  /** The most characters that are kept of it. */
  readonly most: number;
  /** What of it is data whose numbers stay as sent. */
  readonly keepsNumbers?: KeptNumbers;
}

/** Begins an answer. */
export const largeObject = ({ pieces: pieceOf, ...options }: LargeObjectOptions): LargeObject => {
  let reader: PiecesReader | undefined;
  const is = { broken: false, tooLarge: false, tooMany: false };
  const open = async (): Promise<PiecesReader> =>
    (await import('./pieces-reader.js')).piecesReader({
      ...options,
      pieceOf,
      tooLarge: () => (is.tooLarge = true),
      tooMany: () => (is.tooMany = true),
    });
  const load = async (): Promise<PiecesReader> => (reader ??= await open());
  return {
    take: async (text) => {
      is.broken = !(await (await load()).take(text));
      return !is.broken;
    },
    end: async (text) => (is.broken ? undefined : (await load()).end(text)),
    hasBegun: () => reader !== undefined,
    isTooLarge: () => is.tooLarge,
    holdsTooMany: () => is.tooMany,
  };
};

import type { Clock } from '../platform/platform.js';
import type { MembersReader } from './members-reader.js';
import type { PieceOf } from '../protocol/json/json-pieces.js';
import type { RedactValue } from '../redaction/redact-value.js';

/** A JSON object that may be large, whose reader is loaded once it is; most answers are small and need no more than `JSON.parse`. */
export interface LargeObject {
  /** See `MembersReader.take`. */
  readonly take: (text: string) => Promise<string | undefined>;
  /** See `MembersReader.end`. */
  readonly end: (text: string) => Promise<unknown>;
  /** Whether a part of the text was taken. */
  readonly hasBegun: () => boolean;
  /** Whether a part of it could not be read. */
  readonly isBroken: () => boolean;
  /** Whether more of it had to be kept than may be. */
  readonly isTooLarge: () => boolean;
}

/** What {@link largeObject} needs. */
export interface LargeObjectOptions {
  readonly clock: Clock;
  readonly redactValue: RedactValue;
  /** Which values are parsed apart; `true` for each member of the object. */
  readonly pieces: PieceOf | true;
  /** The most characters that are kept of it. */
  readonly most: number;
}

/** Begins an answer. */
export const largeObject = ({ pieces, most, ...options }: LargeObjectOptions): LargeObject => {
  let members: MembersReader | undefined;
  let isBroken = false;
  let isTooLarge = false;
  const open = async (): Promise<MembersReader> => {
    if (pieces === true)
      return (await import('./members-reader.js')).membersReader(options.clock, options.redactValue);
    const tooLarge = (): void => {
      isTooLarge = true;
    };
    return (await import('./pieces-reader.js')).piecesReader({ ...options, pieceOf: pieces, most, tooLarge });
  };
  const load = async (): Promise<MembersReader> => (members ??= await open());
  return {
    take: async (text) => {
      const rest = await (await load()).take(text);
      isBroken = rest === undefined;
      return rest;
    },
    end: async (text) => (isBroken ? undefined : (await load()).end(text)),
    hasBegun: () => members !== undefined,
    isBroken: () => isBroken,
    isTooLarge: () => isTooLarge,
  };
};

import type { Clock } from '../platform/platform.js';
import type { MembersReader } from './members-reader.js';
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
}

/** Begins an answer. */
export const largeObject = (clock: Clock, redactValue: RedactValue): LargeObject => {
  let members: MembersReader | undefined;
  let isBroken = false;
  const load = async (): Promise<MembersReader> =>
    (members ??= (await import('./members-reader.js')).membersReader(clock, redactValue));
  return {
    take: async (text) => {
      const rest = await (await load()).take(text);
      isBroken = rest === undefined;
      return rest;
    },
    end: async (text) => (isBroken ? undefined : (await load()).end(text)),
    hasBegun: () => members !== undefined,
    isBroken: () => isBroken,
  };
};

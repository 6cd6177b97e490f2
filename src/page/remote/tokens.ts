import type { Clock } from '../../core/platform/platform.js';
import { callError } from '../../core/errors/call-error.js';

/** What a token callback answers: the token, or the token and when it ends. */
export type TokenAnswer =
  | string
  | {
      /** Sent as `Authorization: Bearer …`. */
      readonly token: string;
      /** When it ends, in milliseconds since 1970: another one is asked for 30 seconds before. */
      readonly expiresAt?: number | undefined;
    };

/** A token, or a function that gives one, which is called again once the gateway refuses the token, and before the token ends. */
export type TokenSource = string | (() => TokenAnswer | Promise<TokenAnswer>);

/** The token of all requests of a remote. */
export interface Tokens {
  /** Resolves with the token; requests at once share one question. */
  readonly get: () => Promise<string | undefined>;
  /** The gateway refused this token; false if no other one can be had. */
  readonly drop: (token: string | undefined) => boolean;
}

const earlyMs = 30_000;

/** Keeps the token that a source gave until it ends or is dropped. */
export const createTokens = (source: TokenSource | undefined, clock: Pick<Clock, 'wall'>): Tokens => {
  if (typeof source !== 'function') return { get: () => Promise.resolve(source), drop: () => false };
  let asked: Promise<TokenAnswer> | undefined;
  let current: string | undefined;
  let endsAt = Infinity;

  const ask = async (): Promise<TokenAnswer> => {
    try {
      return await source();
    } catch (cause) {
      throw callError('Network', {
        code: 'TOKEN',
        sent: false,
        message: 'The callback `token` failed.',
        hint: '`cause` is what it threw; it is asked again.',
        cause,
      });
    }
  };
  return {
    get: async () => {
      if (asked === undefined || clock.wall() > endsAt - earlyMs) {
        endsAt = Infinity;
        asked = ask();
      }
      const own = asked;
      try {
        const answer = await own;
        if (typeof answer === 'string') return (current = answer);
        endsAt = answer.expiresAt ?? Infinity;
        return (current = answer.token);
      } catch (cause) {
        if (asked === own) asked = undefined;
        throw cause;
      }
    },
    drop: (token) => {
      // Another request may have got a new one meanwhile.
      if (token === current) asked = undefined;
      return true;
    },
  };
};

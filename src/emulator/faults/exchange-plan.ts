import type { Answer } from '../http/answer.js';
import type { CutHow } from './fault.js';

/** The end of an exchange that is not reached: where, and what is there instead. */
export interface Break {
  /** `before` anything was done, with the answer ready but unsent, after its headers, or after bytes of its body. */
  readonly at: 'before' | 'afterCommit' | 'headers' | 'half' | number;
  readonly how: CutHow | 'stall';
}

/** How one exchange goes. */
export interface ExchangePlan {
  /** Milliseconds before anything is done. */
  readonly delayBeforeMs: number;
  /** Milliseconds before the answer leaves. */
  readonly delayAfterMs: number;
  /** Given instead of the true answer; `missing` for what the world says of things that are not there. */
  readonly instead: Answer | 'missing' | undefined;
  /** False where `instead` is given and nothing is done. */
  readonly commits: boolean;
  readonly change: (answer: Answer) => Answer;
  readonly break: Break | undefined;
  readonly bytesPerSecond: number | undefined;
  readonly sizes: readonly number[] | undefined;
  /** Blanks that follow the body; `Infinity` for a body without end and length. */
  readonly surplus: number;
  /** No length is told, and the end of the connection ends the body. */
  readonly hidesLength: boolean;
}

/** An exchange in which nothing goes wrong. */
export const untouched: ExchangePlan = {
  delayBeforeMs: 0,
  delayAfterMs: 0,
  instead: undefined,
  commits: true,
  change: (answer) => answer,
  break: undefined,
  bytesPerSecond: undefined,
  sizes: undefined,
  surplus: 0,
  hidesLength: false,
};

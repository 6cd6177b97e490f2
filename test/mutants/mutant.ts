import { call, type Selector } from './selectors.js';

/** A bug that a client of this protocol really had, or that our tests once overlooked, as a change of one declaration of src. */
export interface Mutant {
  /** The failure mode that it is an instance of (docs/failure-modes.md), and a letter where there are several. */
  readonly id: string;
  /** Who had it and what came of it, in one sentence. */
  readonly story: string;
  /** The declaration that carries the bug, in any file of src: its name, behind those that it stands in where one alone is ambiguous. */
  readonly in: string;
  readonly change: Change | readonly Change[];
  readonly caughtBy: Catcher;
}

/** What is changed in the declaration: exactly one piece of syntax, into this text. */
export interface Change {
  readonly at: Selector;
  readonly to: (text: string) => string;
}

/** What has to fail with the mutant and to pass without. */
export type Catcher = ByFigure | ByTest;

/** A figure of the scoreboard, played from seed 1 (or `from`) until it finds something, over `within` seeds at most. */
export interface ByFigure {
  readonly figure: string;
  readonly from?: number;
  readonly within: number;
}

/** A test file; the tests that fail have to include one whose name holds `name`. */
export interface ByTest {
  readonly test: string;
  readonly name: string;
}

/** Puts a text in place of what is found. */
export const replace = (at: Selector, text: string): Change => ({ at, to: () => text });

/** Makes another text of what is found. */
export const rewrite = (at: Selector, to: (text: string) => string): Change => ({ at, to });

/** Leaves a statement out. */
export const drop = (at: Selector): Change => replace(at, ';');

/** Puts text in front of what is found. */
export const insertBefore = (at: Selector, text: string): Change => rewrite(at, (found) => `${text}${found}`);

/** Puts text behind what is found. */
export const insertAfter = (at: Selector, text: string): Change => rewrite(at, (found) => `${found}${text}`);

/** Leaves a call out and keeps its arguments. */
export const unwrap = (name: string, ...mentions: readonly string[]): Change =>
  rewrite(call(name, ...mentions), (found) => found.replace(name, ''));

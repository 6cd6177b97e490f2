/** A bug that a client of this protocol really had, or that our tests once overlooked, as a change of one place of our source. */
export interface Patch {
  /** The failure mode that it is an instance of (docs/failure-modes.md), and a letter where there are several. */
  readonly id: string;
  /** Who had it and what came of it, in one sentence. */
  readonly story: string;
  /** The file that is changed, from the root of the repository. */
  readonly file: string;
  /** What stands there exactly once. */
  readonly find: string;
  readonly replace: string;
  readonly caughtBy: Catcher;
}

/** What has to fail with the patch and to pass without. */
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

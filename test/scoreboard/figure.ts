/** What a run over a range of seeds found; two of them add up. */
export interface Tally {
  readonly counts: Readonly<Record<string, number>>;
  /** What is wrong, each with the line that plays it again. */
  readonly problems: readonly string[];
  /** How often each cell of a table was hit. */
  readonly cells?: Readonly<Record<string, number>>;
}

/** Seeds `from`, `from + 1`, … */
export interface Range {
  readonly from: number;
  readonly count: number;
}

/** One figure of the scoreboard. */
export interface Figure {
  /** As in the list of figures, e.g. `S1`. */
  readonly id: string;
  readonly what: string;
  readonly target: string;
  /** How many runs the board makes of it. */
  readonly count: number;
  /** Whether its range may be split between processes. */
  readonly splits: boolean;
  readonly run: (range: Range) => Promise<Tally>;
  /** What the whole falls short of, besides its problems. */
  readonly shortfalls?: (tally: Tally, count: number) => readonly string[];
}

/** A figure that is read from the tallies of others. */
export interface DerivedFigure extends Pick<Figure, 'id' | 'what' | 'target'> {
  readonly from: readonly string[];
  readonly derive: (tallies: ReadonlyMap<string, Tally>) => Tally;
}

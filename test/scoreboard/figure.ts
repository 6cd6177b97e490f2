import type { Shown } from '../helpers/sinks.js';

/** What the process of a run saw besides the figure itself. */
export interface Seen extends Shown {
  readonly processes: number;
  /** Unhandled rejections and exceptions, warnings, and ends that were none of the figure's. */
  readonly unhandled: readonly string[];
}

/** What a run over a range of seeds found; two of them add up. */
export interface Tally {
  readonly counts: Readonly<Record<string, number>>;
  /** What is wrong, each with the line that plays it again. */
  readonly problems: readonly string[];
  /** How often each cell of a table was hit. */
  readonly cells?: Readonly<Record<string, number>>;
  /** Of the processes of the board only; `no-secret-shown` and `clean-processes` range over it. */
  readonly seen?: Seen;
}

/** Seeds `from`, `from + 1`, … */
export interface Range {
  readonly from: number;
  readonly count: number;
}

/** One figure of the scoreboard. */
export interface Figure {
  /** Its name: what it holds or plays, in a few words, e.g. `no-duplicate-submissions`. */
  readonly id: string;
  readonly what: string;
  readonly target: string;
  /** How many runs the board makes of it. */
  readonly count: number;
  /** Whether its range may be split between processes. */
  readonly splits: boolean;
  /** It measures the machine, so that nothing else may run beside it. */
  readonly isAlone?: true;
  /** It mostly waits, so that it runs beside the others and takes none of their places. */
  readonly mostlyWaits?: true;
  /** Has no line of its own: the derived figures that name it read it. */
  readonly isPart?: true;
  readonly run: (range: Range) => Promise<Tally>;
  /** What the whole falls short of, besides its problems. */
  readonly shortfalls?: (tally: Tally, count: number) => readonly string[];
}

/** A figure that is read from the tallies of others. */
export interface DerivedFigure extends Pick<Figure, 'id' | 'what' | 'target'> {
  /** The figures that it needs. */
  readonly from: readonly string[];
  /** Whether it ranges over all other figures of the run, too. */
  readonly overAll?: true;
  readonly derive: (tallies: ReadonlyMap<string, Tally>) => Tally;
}

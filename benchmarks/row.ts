/** One measured comparison. */
export interface Row {
  readonly what: string;
  /** What `ours` and `baseline` count, e.g. `frames/s`. */
  readonly unit: string;
  /** Left out where nothing was measured; `note` says why. */
  readonly ours?: number;
  /** Left out where the figure stands for itself, e.g. a size. */
  readonly baseline?: number;
  /** `ours` of `baseline`, the median over the rounds. Of rates above 1 is faster, of times and sizes below 1. */
  readonly ratio?: number;
  /** What `baseline` is, where it is not the one that the benchmark's title names. */
  readonly against?: string;
  /** What is to be reached: by the ratio, or by `ours` where there is none. */
  readonly target?: Target;
  /** Bytes of input that ours takes in a second, in millions. */
  readonly megabytesPerSecond?: number;
  /** Bytes that are allocated for one frame, on the heap and beside it. */
  readonly allocated?: Allocated;
  /** Stands in place of a verdict, e.g. why there is no figure. */
  readonly note?: string;
  /** What the row brings to the benchmark's plot. */
  readonly points?: readonly Point[];
}

/** A bound, inclusive. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

export interface Allocated {
  readonly ours: number;
  readonly baseline: number;
}

/** A point of a plot. */
export interface Point {
  readonly series: string;
  readonly x: number;
  readonly y: number;
}

/** The axes of a plot, both logarithmic. */
export interface PlotAxes {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  /** How a value of `x` is written; default as a number. */
  readonly tick?: (x: number) => string;
}

/** A file of this folder that answers one question. */
export interface Benchmark {
  readonly name: string;
  /** The question and what the baseline is, in sentences. */
  readonly title: string;
  readonly run: () => Promise<readonly Row[]>;
  /** Set where the `points` of the rows are drawn, as `NAME.svg`. */
  readonly plot?: PlotAxes;
}

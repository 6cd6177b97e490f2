/** One line of the results: what was measured, beside its baseline. */
export interface Row {
  readonly what: string;
  /** What `ours` and `baseline` count, e.g. `frames/s`. */
  readonly unit: string;
  readonly ours: number;
  readonly baseline: number;
  /** `ours` of `baseline`: above 1 is faster, the median over the rounds. */
  readonly ratio: number;
  /** Bytes of input that ours takes in a second, in millions. */
  readonly megabytesPerSecond?: number;
}

/** A file of this folder that answers one question. */
export interface Benchmark {
  readonly name: string;
  /** The question and what the baseline is, as a sentence. */
  readonly title: string;
  readonly run: () => Promise<readonly Row[]>;
}

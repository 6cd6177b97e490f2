/** One small change of a source that the tests should notice. */
export interface Mutant {
  /** What was changed, as `condition` or `removed call`. */
  readonly kind: string;
  /** Counted from 1. */
  readonly line: number;
  /** The part of the source that is replaced, by its offsets. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The source with the mutant in it. */
export const withMutant = (source: string, { start, end, replacement }: Mutant): string =>
  source.slice(0, start) + replacement + source.slice(end);

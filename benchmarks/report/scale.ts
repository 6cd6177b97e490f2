/** A logarithmic axis: where a value stands on it. */
export type Scale = (value: number) => number;

/** From the least value at `from` to the greatest at `to`. */
export const logScale = (values: readonly number[], from: number, to: number): Scale => {
  const low = Math.log10(Math.min(...values));
  const high = Math.log10(Math.max(...values));
  const span = high - low || 1;
  return (value) => Math.round((from + ((Math.log10(value) - low) / span) * (to - from)) * 10) / 10;
};

/** Powers of ten, from below the least value to above the greatest. */
export const powersAround = (values: readonly number[]): readonly number[] => {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
};

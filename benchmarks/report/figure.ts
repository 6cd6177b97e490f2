/** A figure as it stands in a table: whole from a hundred on, else three digits that count. */
export const figure = (value: number | undefined): string => {
  if (value === undefined) return '';
  if (!Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
};

/** A ratio: two decimals, or a whole number where it is large. */
export const ratioText = (ratio: number | undefined): string => {
  if (ratio === undefined) return '';
  return Math.abs(ratio) >= 100 ? figure(ratio) : ratio.toFixed(2);
};

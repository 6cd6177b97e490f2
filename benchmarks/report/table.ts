/** A Markdown table: the first row is its head, the first `left` columns are aligned to the left, the others to the right. */
export const table = (cells: readonly (readonly string[])[], left: number): string => {
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => (column < left ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column < left ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(cells[0] ?? []), line(rule), ...cells.slice(1).map(line)].join('\n');
};

/** A bar of `width` columns, filled by `fraction` (0 to 1; anything else is taken as the nearer end). */
export const bar = (fraction: number, width: number): string => {
  const eighths = Math.round(Math.min(1, Math.max(0, fraction || 0)) * width * 8);
  const full = Math.floor(eighths / 8);
  const part = partial[eighths % 8] ?? '';
  return `${'█'.repeat(full)}${part}`.padEnd(width, '░');
};

const partial = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Writes a number of bytes for a person: `412 B`, `3.4 kB`, `12 MB`. */
export const fileSize = (bytes: number): string => {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : value.toFixed(0)} ${units[power] ?? ''}`;
};

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

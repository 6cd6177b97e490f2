/** Writes a duration for a person: `0.4 s`, `12 s`, `3:07`, `1:02:09`. */
export const duration = (ms: number): string => {
  if (ms < 9_950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  const tail = `${two(minutes % 60)}:${two(seconds % 60)}`;
  return minutes < 60 ? tail.replace(/^0/u, '') : `${Math.floor(minutes / 60)}:${tail}`;
};

const two = (value: number): string => String(value).padStart(2, '0');

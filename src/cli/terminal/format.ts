import type { JobState } from '../../node.js';

/** A bar of `width` columns, filled by `fraction` (clamped to 0 to 1). */
export const bar = (fraction: number, width: number): string => {
  const eighths = Math.round(Math.min(1, Math.max(0, fraction || 0)) * width * 8);
  const full = Math.floor(eighths / 8);
  const part = partial[eighths % 8] ?? '';
  return `${'█'.repeat(full)}${part}`.padEnd(width, '░');
};

const partial = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Formats a duration: `0.4 s`, `12 s`, `3:07`, `1:02:09`. */
export const duration = (ms: number): string => {
  if (ms < 9_950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  const tail = `${two(minutes % 60)}:${two(seconds % 60)}`;
  return minutes < 60 ? tail.replace(/^0/u, '') : `${Math.floor(minutes / 60)}:${tail}`;
};

const two = (value: number): string => String(value).padStart(2, '0');

/** Formats a number of bytes: `412 B`, `3.4 kB`, `12 MB`. */
export const fileSize = (bytes: number): string => {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : value.toFixed(0)} ${units[power] ?? ''}`;
};

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** The label of a node: its title in the workflow, otherwise its id. */
export const nodeLabel = (
  node: Pick<JobState['nodes'][string], 'nodeId' | 'displayNodeId'>,
  titles: ReadonlyMap<string, string>,
): string => titles.get(node.displayNodeId) ?? titles.get(node.nodeId) ?? `node ${node.displayNodeId}`;

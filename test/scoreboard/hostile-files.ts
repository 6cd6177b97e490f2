import type { Figure } from './figure.js';
import { grownHeap, heapMiB, playHostile } from './play-hostile.js';
import { searchHostileFile } from '../workflow/metadata/hostile-file.js';

/** Files that carry workflows, damaged. */
export const hostileFiles: Figure = {
  id: 'hostile-files',
  what: 'pictures, films, sounds and models that carry workflows, with bytes changed, cut out, repeated, swapped and cut off, searched',
  target: `0 throws, nothing read outside the file or beyond 64 KiB and its metadata, and heap ≤ +${heapMiB} MiB in 100,000`,
  count: 100_000,
  splits: true,
  run: (range) => playHostile('hostile-files', range, searchHostileFile),
  shortfalls: grownHeap,
};

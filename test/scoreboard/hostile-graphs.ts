import { convertHostileGraph } from '../workflow/generated/hostile-graph.js';
import type { Figure } from './figure.js';
import { grownHeap, heapMiB, playHostile } from './play-hostile.js';

/** Files of the editor, and definitions, that were spoilt in one to four places. */
export const hostileGraphs: Figure = {
  id: 'hostile-graphs',
  what: 'files of the editor and definitions, spoilt in one to four places, and their texts cut off, read and converted',
  target: `0 throws and heap ≤ +${heapMiB} MiB in 100,000; each is converted or refused`,
  count: 100_000,
  splits: true,
  run: (range) => playHostile('hostile-graphs', range, convertHostileGraph),
  shortfalls: grownHeap,
};

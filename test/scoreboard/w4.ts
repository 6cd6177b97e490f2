import type { Figure } from './figure.js';
import { grownHeap, heapMiB, playHostile } from './play-hostile.js';
import { validateHostileGraph } from '../workflow/validate/hostile-graph.js';

/** W4: workflows in API format, and definitions, that no editor writes. */
export const w4: Figure = {
  id: 'W4',
  name: 'hostile-workflows',
  what: 'workflows and definitions, mutated, truncated, nested, cyclic, misspelt, with names of the prototype, of 10,000 nodes, validated, judged and repaired',
  target: `0 throws, nothing changed that was given, and heap ≤ +${heapMiB} MiB in 100,000`,
  count: 100_000,
  splits: true,
  run: (range) => playHostile('W4', range, (seed) => validateHostileGraph(seed)),
  shortfalls: grownHeap,
};

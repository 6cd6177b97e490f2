import type { Figure } from './figure.js';
import { grownHeap, heapMiB, playHostile } from './play-hostile.js';
import { validateHostileGraph } from '../workflow/validate/hostile-graph.js';

/** Workflows in API format, and definitions, that no editor writes. */
export const hostileWorkflows: Figure = {
  id: 'hostile-workflows',
  what: 'workflows and definitions, mutated, truncated, nested, cyclic, misspelt, with names of the prototype, of 10,000 nodes, validated, judged and repaired',
  target: `0 throws, nothing changed that was given, and heap ≤ +${heapMiB} MiB in 100,000`,
  count: 100_000,
  splits: true,
  run: (range) => playHostile('hostile-workflows', range, (seed) => validateHostileGraph(seed)),
  shortfalls: grownHeap,
};

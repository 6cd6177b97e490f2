import type { Figure } from './figure.js';
import { playGenerated } from '../workflow/generated/laws.js';
import { watchProcess } from './process-health.js';

/** Files of the editor that were made from a workflow. */
export const generatedWorkflows: Figure = {
  id: 'generated-workflows',
  what: 'a workflow, half of them with a mistake, written as a file of the editor with subgraphs, primitives, reroutes, bypassed and muted nodes, by generated definitions',
  target:
    'in ≥ 1,000 files the conversion gives the workflow, whole; the same for the file read again; the validator finds the mistake and no other',
  count: 5_000,
  splits: true,
  run: async ({ from, count }) => {
    const seenByProcess = watchProcess();
    const counts = { files: count, nodes: 0, subgraphs: 0, 'with a mistake': 0, violations: 0 };
    const problems: string[] = [];
    for (let seed = from; seed < from + count; seed += 1) {
      const played = playGenerated(seed);
      counts.nodes += played.nodes;
      counts.subgraphs += played.subgraphs;
      counts['with a mistake'] += played.isMistaken ? 1 : 0;
      counts.violations += played.problems.length;
      problems.push(
        ...played.problems.map(
          (problem) => `${problem}; npm run replay -- generated-workflows --seed ${seed}`,
        ),
      );
    }
    return { counts, problems: [...problems, ...(await seenByProcess())] };
  },
};

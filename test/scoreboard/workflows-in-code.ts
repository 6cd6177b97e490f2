import type { Figure } from './figure.js';
import { playProgram } from '../workflow/generated/programs.js';
import { watchProcess } from './process-health.js';

/** Programs that build workflows. */
export const workflowsInCode: Figure = {
  id: 'workflows-in-code',
  what: 'generated workflows, as drawn and with odd ids, names, values, dead links and cycles, turned into programs, untyped and typed, and run',
  target:
    'in ≥ 1,000 workflows each program builds the same graph; what was built of one without mistakes validates without errors',
  count: 5_000,
  splits: true,
  run: async ({ from, count }) => {
    const seenByProcess = watchProcess();
    const counts = { workflows: count, nodes: 0, 'links in cycles': 0, violations: 0 };
    const problems: string[] = [];
    for (let seed = from; seed < from + count; seed += 1) {
      const played = playProgram(seed);
      counts.nodes += played.nodes;
      counts['links in cycles'] += played.cycles;
      counts.violations += played.problems.length;
      problems.push(
        ...played.problems.map((problem) => `${problem}; npm run replay -- workflows-in-code --seed ${seed}`),
      );
    }
    return { counts, problems: [...problems, ...(await seenByProcess())] };
  },
};

import { bigWorkflow, manyDefinitions } from './tools/workflow-inputs.js';
import type { Benchmark, Row } from './row.js';
import { ratesInTurns } from './tools/rates-in-turns.js';
import { validateWorkflow } from '../src/workflow/validate/validate-workflow.js';

/** What it costs to validate a workflow. */
export const validation: Benchmark = {
  name: 'validation',
  title:
    'A workflow against the definitions of 5,000 node classes. Baseline: `JSON.parse` of the same workflow.',
  run: () => {
    const definitions = manyDefinitions(5000);
    return Promise.resolve([1000, 10_000].map((nodes) => measure(nodes, definitions)));
  },
};

const measure = (nodes: number, definitions: ReturnType<typeof manyDefinitions>): Row => {
  const text = bigWorkflow(nodes);
  const workflow: unknown = JSON.parse(text);
  const rates = ratesInTurns({
    promptwire: () => validateWorkflow(workflow, definitions),
    parse: () => JSON.parse(text) as unknown,
  });
  return {
    what: `${nodes.toLocaleString('en')} nodes`,
    unit: 'ms/workflow',
    ours: 1000 / rates.perSecond('promptwire'),
    baseline: 1000 / rates.perSecond('parse'),
    ratio: rates.ratio('parse', 'promptwire'),
    target: { atMost: 2 },
  };
};

import type { Benchmark, Row } from './row.js';
import { bigUiWorkflow } from './tools/ui-workflow.js';
import { manyDefinitions } from './tools/workflow-inputs.js';
import { ratesInTurns } from './tools/rates-in-turns.js';
import { toApiWorkflow, type UiWorkflow } from '../src/workflow.js';

/** What it costs to convert a file of the editor. */
export const conversion: Benchmark = {
  name: 'conversion',
  title:
    'A file of the editor to the API format, with the definitions of 5,000 node classes. Baseline: `JSON.parse` of the same file.',
  run: () => {
    const definitions = manyDefinitions(5000);
    return Promise.resolve([1000, 10_000].map((nodes) => measure(nodes, definitions)));
  },
};

const measure = (nodes: number, definitions: ReturnType<typeof manyDefinitions>): Row => {
  const text = bigUiWorkflow(nodes);
  const file = JSON.parse(text) as UiWorkflow;
  const rates = ratesInTurns({
    promptwire: () => toApiWorkflow(file, definitions),
    parse: () => JSON.parse(text) as unknown,
  });
  return {
    what: `${nodes.toLocaleString('en')} nodes`,
    unit: 'ms/file',
    ours: 1000 / rates.perSecond('promptwire'),
    baseline: 1000 / rates.perSecond('parse'),
    ratio: rates.ratio('parse', 'promptwire'),
    target: { atMost: 3 },
  };
};

import { expect, it } from 'vitest';
import { repair } from '../../../src/cli/validation/repair.js';
import { validateWorkflow, type Workflow } from '../../../src/workflow.js';

const definitions = {
  Sink: {
    input: { required: { size: ['INT', { max: 9 }], way: [['slow', 'fast']] } },
    output: [],
    output_node: true,
  },
};
const sink = (inputs: Record<string, unknown>): Workflow => ({ 1: { class_type: 'Sink', inputs } });
const repaired = (workflow: Workflow) =>
  repair(workflow, validateWorkflow(workflow, definitions), definitions);

it('a workflow without problems stays as it is', () => {
  const workflow = sink({ size: 5, way: 'slow' });
  const result = repaired(workflow);
  expect(result).toEqual({ workflow, problems: [], fixes: 0 });
  expect(result.workflow).toBe(workflow);
});

it('what can be fixed is fixed and counted, and the rest is told', () => {
  const { workflow, problems, fixes } = repaired(sink({ size: 50, way: 'quick' }));
  expect(workflow).toMatchObject({ 1: { inputs: { size: 9, way: 'quick' } } });
  expect(problems.map(({ type }) => type)).toEqual(['value_not_in_list']);
  expect(fixes).toBe(1);
});

it('a fix that changes nothing ends the repair', () => {
  const problem = { nodeId: '1', input: 'size', type: 'x', severity: 'error', message: '', fix: 5 } as const;
  const workflow = sink({ size: 5, way: 'slow' });
  expect(repair(workflow, [problem], definitions)).toEqual({ workflow, problems: [problem], fixes: 0 });
});

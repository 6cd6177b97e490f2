import {
  applyFixes,
  type NodeDefinitions,
  type Problem,
  validateWorkflow,
  type Workflow,
  writeExactJson,
} from '../../workflow.js';

/** A workflow after its repair. */
export interface Repaired {
  readonly workflow: Workflow;
  /** What is still wrong with it. */
  readonly problems: readonly Problem[];
  /** How many problems were fixed. */
  readonly fixes: number;
}

/** Fixes may uncover others, as where an input that gets its right name has a wrong value. */
const maxRounds = 10;

/** Applies the fixes of the problems, and of those that appear then, until nothing changes. */
export const repair = (
  given: Workflow,
  found: readonly Problem[],
  definitions: NodeDefinitions,
): Repaired => {
  let repaired: Repaired = { workflow: given, problems: found, fixes: 0 };
  for (let round = 0; round < maxRounds; round += 1) {
    const { workflow: before, problems, fixes } = repaired;
    const workflow = applyFixes(before, problems);
    if (workflow === before || writeExactJson(workflow) === writeExactJson(before)) break;
    const fixed = problems.filter(({ fix }) => fix !== undefined).length;
    repaired = { workflow, problems: validateWorkflow(workflow, definitions), fixes: fixes + fixed };
  }
  return repaired;
};

import { checkNode } from './check-node.js';
import type { CheckScope } from './check-literal.js';
import { components } from './components.js';
import { error, problemOf, warning } from './finding.js';
import type { Problem } from '../../protocol/problem.js';
import type { Prompt, PromptNode } from './read-prompt.js';

/** What the checks of all nodes found that the outputs need. */
export interface OutputsCheck {
  /** Not in the order of the nodes. */
  readonly problems: readonly Problem[];
  /** How many nodes were checked. */
  readonly count: number;
}

/** Checks the outputs and everything above them, each node once. */
export const checkOutputs = (
  outputs: readonly PromptNode[],
  prompt: Prompt,
  scope: CheckScope,
): OutputsCheck => {
  const problems: Problem[] = [];
  const needs: (readonly PromptNode[] | undefined)[] = [];
  const isBad: boolean[] = [];
  const depths: number[] = [];
  let count = 0;
  const check = (node: PromptNode): readonly PromptNode[] => {
    const result = checkNode(node, prompt, scope);
    for (const problem of result.problems) {
      problems.push(problem);
      if (problem.severity === 'error') isBad[node.at] = true;
    }
    count += 1;
    needs[node.at] = result.needs;
    return result.needs;
  };

  for (const members of components(outputs, prompt.size, check)) {
    const isCycle = members.length > 1 || members.some((node) => needs[node.at]?.includes(node));
    if (isCycle) for (const node of members) problems.push(cycle(node, members));
    let depth = 0;
    let isWrong = isCycle;
    for (const { at } of members) {
      isWrong ||= isBad[at] === true;
      for (const need of needs[at] ?? []) {
        isWrong ||= isBad[need.at] === true;
        depth = Math.max(depth, depths[need.at] ?? 0);
      }
    }
    for (const { at } of members) {
      depths[at] = depth + 1;
      isBad[at] = isWrong;
    }
  }

  const dropped = outputs.filter(({ at }) => isBad[at]);
  if (dropped.length < outputs.length) for (const output of dropped) problems.push(droppedOutput(output));
  for (const output of outputs) if ((depths[output.at] ?? 0) > longestChain) problems.push(longChain(output));
  return { problems, count };
};

/** Chains of 983 nodes were seen to pass, and longer ones to fail; the limit depends on the server's build. */
const longestChain = 983;

const cycle = (node: PromptNode, members: readonly PromptNode[]): Problem => {
  const others = members.slice(0, 9).filter((one) => one !== node);
  const more = members.length > others.length + 1 ? ', …' : '';
  const way = others.length === 0 ? '' : `, by way of ${others.map(({ id }) => id).join(', ')}${more}`;
  return problemOf(node, error('dependency_cycle', `needs its own output${way}.`));
};

const droppedOutput = (node: PromptNode): Problem =>
  problemOf(node, warning('output_dropped', 'would not run: the engine drops this output, and runs others.'));

const longChain = (node: PromptNode): Problem => {
  return {
    ...problemOf(
      node,
      warning('chain_too_long', `ends a chain of more than ${longestChain} nodes, which engines refuse.`),
    ),
    serverOnly: true,
  };
};

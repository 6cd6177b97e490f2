import { checkNode } from './check-node.js';
import type { CheckScope } from './check-literal.js';
import { components } from './components.js';
import { error, problemOf, warning } from './finding.js';
import type { Problem } from '../../core/protocol/problem.js';
import type { Prompt, PromptNode } from './read-prompt.js';
import { unreachableNodes } from './unreachable.js';
import type { Steps } from '../../core/protocol/steps.js';

/** Checks the outputs and everything above them, each node once, and finds the nodes that no output needs. */
export function* checkOutputs(
  outputs: readonly PromptNode[],
  prompt: Prompt,
  scope: CheckScope,
): Steps<readonly Problem[]> {
  const problems: (readonly Problem[])[] = [];
  const needsOf: (readonly PromptNode[])[] = [];
  const isBad: boolean[] = [];
  const depths: number[] = [];
  let count = 0;
  const check = (node: PromptNode): readonly PromptNode[] => {
    const { problems: found, needs } = checkNode(node, prompt, scope);
    problems.push(found);
    isBad[node.at] = found.some(({ severity }) => severity === 'error');
    needsOf[node.at] = needs;
    count += 1;
    return needs;
  };

  for (const members of yield* components(outputs, check)) {
    yield;
    const isCycle = members.length > 1 || members.some((node) => needsOf[node.at]?.includes(node));
    if (isCycle) problems.push(members.map((node) => cycle(node, members)));
    let isWrong = isCycle;
    let depth = 1;
    for (const { at } of members) {
      isWrong ||= isBad[at] === true;
      for (const need of needsOf[at] ?? []) {
        isWrong ||= isBad[need.at] === true;
        depth = Math.max(depth, 1 + (depths[need.at] ?? 0));
      }
    }
    for (const { at } of members) {
      depths[at] = depth;
      isBad[at] = isWrong;
    }
  }

  const dropped = outputs.filter((output) => isBad[output.at]);
  if (dropped.length < outputs.length) problems.push(dropped.map(droppedOutput));
  problems.push(outputs.filter((output) => (depths[output.at] ?? 0) > longestChain).map(longChain));
  yield;
  if (count < prompt.size) problems.push(unreachableNodes(outputs, prompt));
  return problems.flat();
}

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

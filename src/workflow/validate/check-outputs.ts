import type { CheckScope } from './check-literal.js';
import { checkNode, type NodeCheck } from './check-node.js';
import { components } from './components.js';
import type { Problem } from '../problem.js';
import type { Prompt, PromptNode } from './read-prompt.js';

/** What the checks of all nodes found that the outputs need. */
export interface OutputsCheck {
  /** By node id, in the order of the workflow. */
  readonly checked: ReadonlyMap<string, NodeCheck>;
  /** What comes of the links between nodes: cycles, and outputs that will not run. */
  readonly problems: readonly Problem[];
}

/** Checks the outputs and everything above them, each node once. */
export const checkOutputs = (
  outputs: readonly PromptNode[],
  prompt: Prompt,
  scope: CheckScope,
): OutputsCheck => {
  const checked = new Map<string, NodeCheck>();
  const open = outputs.map(({ id }) => id);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = prompt.get(id);
    if (node === undefined || checked.has(id)) continue;
    const check = checkNode(node, prompt, scope);
    checked.set(id, check);
    for (const need of check.needs) open.push(need);
  }

  const problems: Problem[] = [];
  const depths = new Map<string, number>();
  const bad = new Set<string>();
  const needsOf = (id: string): readonly string[] => checked.get(id)?.needs ?? [];
  for (const members of components(checked.keys(), needsOf)) {
    const isCycle = members.length > 1 || members.some((id) => needsOf(id).includes(id));
    if (isCycle) for (const id of members) problems.push(cycle(prompt.get(id), members));
    let depth = 1;
    let isBad = isCycle;
    for (const id of members) {
      isBad ||= checked.get(id)?.isBad === true;
      for (const need of needsOf(id)) {
        isBad ||= bad.has(need);
        depth = Math.max(depth, 1 + (depths.get(need) ?? 0));
      }
    }
    for (const id of members) {
      depths.set(id, depth);
      if (isBad) bad.add(id);
    }
  }

  const dropped = outputs.filter(({ id }) => bad.has(id));
  if (dropped.length < outputs.length) for (const output of dropped) problems.push(droppedOutput(output));
  for (const output of outputs)
    if ((depths.get(output.id) ?? 0) > longestChain) problems.push(longChain(output));
  return { checked, problems };
};

/** Chains of 983 nodes were seen to pass, and longer ones to fail; the limit depends on the server's build. */
const longestChain = 983;

const cycle = (node: PromptNode | undefined, members: readonly string[]): Problem => {
  const others = members.slice(0, 9).filter((id) => id !== node?.id);
  const by = others.length === 0 ? '' : `, by way of ${others.join(', ')}${members.length > 9 ? ', …' : ''}`;
  return {
    ...(node !== undefined && { nodeId: node.id }),
    type: 'dependency_cycle',
    severity: 'error',
    message: `Node ${node?.id} (${node?.className}) needs its own output${by}.`,
  };
};

const droppedOutput = ({ id, className }: PromptNode): Problem => ({
  nodeId: id,
  type: 'output_dropped',
  severity: 'warning',
  message: `Node ${id} (${className}) would not run: the engine drops it, and accepts the other outputs.`,
});

const longChain = ({ id, className }: PromptNode): Problem => ({
  nodeId: id,
  type: 'chain_too_long',
  severity: 'warning',
  message: `Node ${id} (${className}) ends a chain of more than ${longestChain} nodes, which engines refuse for its length.`,
  serverOnly: true,
});

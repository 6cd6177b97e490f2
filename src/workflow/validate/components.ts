/** A node of a graph of so many nodes. */
export interface Numbered {
  /** Its position, from 0. */
  readonly at: number;
}

/**
 * Finds the strongly connected components of a graph, by Tarjan's algorithm without recursion: the nodes of a cycle come as one
 * list, every other node alone, and each after all that it needs.
 *
 * `needsOf` is called once for each node that can be reached from the roots.
 */
export const components = <Node extends Numbered>(
  roots: readonly Node[],
  count: number,
  needsOf: (node: Node) => readonly Node[],
): readonly (readonly Node[])[] => {
  const found: Node[][] = [];
  // 0 is a node that was not reached.
  const orders = new Int32Array(count);
  const lowest = new Int32Array(count);
  const stack: Node[] = [];
  const path: { readonly node: Node; readonly needs: readonly Node[]; next: number }[] = [];
  let reached = 0;

  const lower = ({ at }: Node, order = 0): void => {
    lowest[at] = Math.min(lowest[at] ?? order, order);
  };
  const enter = (node: Node): void => {
    reached += 1;
    orders[node.at] = reached;
    lowest[node.at] = reached;
    stack.push(node);
    path.push({ node, needs: needsOf(node), next: 0 });
  };
  const leave = (node: Node): void => {
    const below = path.at(-1)?.node;
    if (below) lower(below, lowest[node.at]);
    if (lowest[node.at] !== orders[node.at]) return;
    const members = stack.splice(stack.lastIndexOf(node));
    // A closed component makes no node lower any more.
    for (const { at } of members) orders[at] = count + 1;
    found.push(members);
  };

  for (const root of roots) {
    if (orders[root.at] === 0) enter(root);
    for (let step = path.at(-1); step; step = path.at(-1)) {
      const need = step.needs[step.next];
      step.next += 1;
      if (!need) {
        path.pop();
        leave(step.node);
      } else if (orders[need.at] === 0) enter(need);
      else lower(step.node, orders[need.at]);
    }
  }
  return found;
};

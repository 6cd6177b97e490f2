import type { Steps } from '../../core/protocol/steps.js';

/** A node of a graph. */
export interface Numbered {
  /** Its position, from 0. */
  readonly at: number;
}

/**
 * Finds the strongly connected components of a graph by one walk in depth without recursion (Gabow's algorithm): the nodes of a
 * cycle come as one list, every other node alone, and each after all that it needs.
 *
 * `needsOf` is called once for each node that can be reached from the roots, with a pause before each.
 */
export function* components<Node extends Numbered>(
  roots: readonly Node[],
  needsOf: (node: Node) => readonly Node[],
): Steps<readonly (readonly Node[])[]> {
  const found: Node[][] = [];
  /** When the walk came to a node; infinite where its component is found. */
  const orders: number[] = [];
  let reached = 0;
  const unfinished: Node[] = [];
  /** The first nodes of what may still be components of their own, on the path that is being walked. */
  const heads: Node[] = [];
  const path: { readonly node: Node; readonly needs: readonly Node[]; next: number }[] = [];
  const orderOf = ({ at }: Node): number => orders[at] ?? 0;
  const enter = (node: Node): void => {
    reached += 1;
    orders[node.at] = reached;
    unfinished.push(node);
    heads.push(node);
    path.push({ node, needs: needsOf(node), next: 0 });
  };
  const leave = (node: Node): void => {
    if (heads.at(-1) !== node) return;
    heads.pop();
    const members = unfinished.splice(unfinished.lastIndexOf(node));
    for (const { at } of members) orders[at] = Infinity;
    found.push(members);
  };

  for (const root of roots) {
    if (orderOf(root) > 0) continue;
    yield;
    enter(root);
    for (let step = path.at(-1); step; step = path.at(-1)) {
      const need = step.needs[step.next];
      step.next += 1;
      if (!need) {
        path.pop();
        leave(step.node);
      } else if (orderOf(need) === 0) {
        yield;
        enter(need);
      } else {
        // A need that the walk is still at closes a circle: all after it are one component.
        for (let head = heads.at(-1); head && orderOf(head) > orderOf(need); head = heads.at(-1)) heads.pop();
      }
    }
  }
  return found;
}

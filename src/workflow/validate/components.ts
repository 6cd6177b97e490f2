/**
 * The strongly connected components of a graph, by Tarjan's algorithm without recursion: cycles come as one list, every other
 * node alone, and each after all that it needs.
 */
export const components = (
  ids: Iterable<string>,
  needsOf: (id: string) => readonly string[],
): readonly (readonly string[])[] => {
  const found: string[][] = [];
  const states = new Map<string, NodeState>();
  const stack: string[] = [];
  const path: Step[] = [];

  const enter = (id: string): void => {
    const state = { order: states.size, lowest: states.size, isOpen: true };
    states.set(id, state);
    stack.push(id);
    path.push({ id, state, needs: needsOf(id), next: 0 });
  };
  const leave = ({ id, state }: Step): void => {
    const above = path.at(-1)?.state;
    if (above !== undefined) above.lowest = Math.min(above.lowest, state.lowest);
    if (state.lowest < state.order) return;
    const members = stack.splice(stack.lastIndexOf(id));
    for (const member of members) closeState(states.get(member));
    found.push(members);
  };

  for (const root of ids) {
    if (!states.has(root)) enter(root);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const need = step.needs[step.next];
      step.next += 1;
      const known = need === undefined ? undefined : states.get(need);
      if (need === undefined) {
        path.pop();
        leave(step);
      } else if (known === undefined) enter(need);
      else if (known.isOpen) step.state.lowest = Math.min(step.state.lowest, known.order);
    }
  }
  return found;
};

interface NodeState {
  readonly order: number;
  lowest: number;
  isOpen: boolean;
}

interface Step {
  readonly id: string;
  readonly state: NodeState;
  readonly needs: readonly string[];
  next: number;
}

const closeState = (state: NodeState | undefined): void => {
  if (state !== undefined) state.isOpen = false;
};

/**
 * Python's binary heap on a plain list: the listing shows the list as it lies, and a comparison that throws leaves the
 * new item at its end.
 */
export interface PythonHeap<A> {
  readonly push: (item: A) => void;
  readonly pop: () => A | undefined;
  /** Takes the first item that matches and restores the order; false where there is none. */
  readonly remove: (matches: (item: A) => boolean) => boolean;
  readonly clear: () => void;
  /** The items as they lie, which is not their order. */
  readonly items: readonly A[];
}

/** An empty heap; `isLess` may throw for items that can't be compared. */
export const createPythonHeap = <A>(isLess: (a: A, b: A) => boolean): PythonHeap<A> => {
  const items: A[] = [];
  const at = (index: number): A => items[index] as A;

  /** Moves the item at `index` up while it is less than its parent, not above `top`. */
  const rise = (top: number, index: number): void => {
    const item = at(index);
    let place = index;
    while (place > top) {
      const parent = (place - 1) >> 1;
      if (!isLess(item, at(parent))) break;
      items[place] = at(parent);
      place = parent;
    }
    items[place] = item;
  };

  /** Sinks the item at `index` to a leaf along the lesser children, then lets it rise again. */
  const sink = (index: number): void => {
    const item = at(index);
    let place = index;
    for (let child = 2 * place + 1; child < items.length; child = 2 * place + 1) {
      if (child + 1 < items.length && !isLess(at(child), at(child + 1))) child += 1;
      items[place] = at(child);
      place = child;
    }
    items[place] = item;
    rise(index, place);
  };

  const pop = (): A | undefined => {
    const last = items.pop();
    if (last === undefined || items.length === 0) return last;
    const first = at(0);
    items[0] = last;
    sink(0);
    return first;
  };

  const remove = (matches: (item: A) => boolean): boolean => {
    const index = items.findIndex(matches);
    if (index < 0) return false;
    items.splice(index, 1);
    for (let from = (items.length >> 1) - 1; from >= 0; from -= 1) sink(from);
    return true;
  };

  return {
    items,
    pop,
    remove,
    push: (item) => {
      items.push(item);
      rise(0, items.length - 1);
    },
    clear: () => {
      items.length = 0;
    },
  };
};

/** What waits, the lowest number first; `items` lists it as a heap lies in memory, which is not its order. */
export interface PendingHeap<A> {
  readonly items: A[];
  readonly push: (item: A) => void;
  readonly pop: () => A | undefined;
  /** Takes out all that match and returns how many they were. */
  readonly remove: (matches: (item: A) => boolean) => number;
}

/** Makes an empty binary heap. */
export const pendingHeap = <A extends { readonly number: number }>(): PendingHeap<A> => {
  const items: A[] = [];
  const swap = (one: number, other: number): void => {
    [items[one], items[other]] = [items[other]!, items[one]!];
  };
  const sink = (from: number): void => {
    for (let place = from; ;) {
      const children = [2 * place + 1, 2 * place + 2].filter((child) => child < items.length);
      const least = children.sort((one, other) => items[one]!.number - items[other]!.number)[0];
      if (least === undefined || items[least]!.number >= items[place]!.number) return;
      swap(least, place);
      place = least;
    }
  };
  return {
    items,
    push: (item) => {
      let place = items.push(item) - 1;
      for (; place > 0; place = (place - 1) >> 1) {
        const parent = (place - 1) >> 1;
        if (items[parent]!.number <= items[place]!.number) return;
        swap(parent, place);
      }
    },
    pop: () => {
      if (items.length === 0) return undefined;
      swap(0, items.length - 1);
      const first = items.pop();
      sink(0);
      return first;
    },
    remove: (matches) => {
      const kept = items.filter((item) => !matches(item));
      const removed = items.length - kept.length;
      items.splice(0, items.length, ...kept);
      for (let place = (items.length >> 1) - 1; place >= 0; place -= 1) sink(place);
      return removed;
    },
  };
};

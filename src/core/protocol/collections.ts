/** Some values under each key. */
export interface ListsByKey<A> {
  /** How many keys have values. */
  readonly size: number;
  /** The values of a key, in the order in which they came. The list never changes, so that a loop over it may add and remove. */
  readonly of: (key: string) => readonly A[];
  readonly all: () => readonly A[];
  readonly add: (key: string, value: A) => void;
  readonly remove: (key: string, value: A) => void;
}

/** Makes a map of short lists, most of them of one value, which cost an array of one. */
export const listsByKey = <A>(): ListsByKey<A> => {
  const lists = new Map<string, readonly A[]>();
  return {
    get size() {
      return lists.size;
    },
    of: (key) => lists.get(key) ?? none,
    all: () => {
      const all: A[] = [];
      for (const list of lists.values()) all.push(...list);
      return all;
    },
    add: (key, value) => {
      const list = lists.get(key);
      lists.set(key, list === undefined ? [value] : [...list, value]);
    },
    remove: (key, value) => {
      const list = lists.get(key);
      if (list?.includes(value) !== true) return;
      if (list.length === 1) lists.delete(key);
      else
        lists.set(
          key,
          list.filter((other) => other !== value),
        );
    },
  };
};

const none: readonly never[] = [];

/** Adds a value to a set that holds at most so many: the oldest one goes. A value that is there stays as old as it is. */
export const addLatest = <A>(values: Set<A>, value: A, most: number): void => {
  values.add(value);
  if (values.size > most) for (const oldest of values) return void values.delete(oldest);
};

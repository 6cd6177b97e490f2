/** The values of each key, in the order in which the keys come first. */
export const groupedBy = <A>(
  values: readonly A[],
  keyOf: (value: A) => string,
): ReadonlyMap<string, readonly A[]> => {
  const groups = new Map<string, A[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
};

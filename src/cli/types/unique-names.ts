/** Gives each wish as it is, or with the next number that makes it a name of its own. */
export const uniqueNames = (reserved: readonly string[]): ((wish: string) => string) => {
  const taken = new Set(reserved);
  const last = new Map<string, number>();
  return (wish) => {
    let name = wish;
    let count = last.get(wish) ?? 1;
    while (taken.has(name)) {
      count += 1;
      name = `${wish}${count}`;
    }
    last.set(wish, count);
    taken.add(name);
    return name;
  };
};

/** Adds a value to a set that holds at most so many: the oldest one goes. A value that is there stays as old as it is. */
export const addLatest = <A>(values: Set<A>, value: A, most: number): void => {
  values.add(value);
  if (values.size > most) for (const oldest of values) return void values.delete(oldest);
};

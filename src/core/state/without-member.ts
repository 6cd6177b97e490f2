/** Copies an object without one of its members, which may be absent. */
export const withoutMember = <A extends object, Name extends keyof A & string>(
  from: A,
  name: Name,
): Omit<A, Name> => {
  const rest: Partial<A> = {};
  for (const key of Object.keys(from) as (keyof A)[]) if (key !== name) rest[key] = from[key];
  return rest as Omit<A, Name>;
};

/** Copies an object with one member more. A spread that adds a member makes a hidden class for each copy, and is slow to make and to read. */
export const withMember = <A extends object, Name extends keyof A & string>(
  from: A,
  name: Name,
  value: A[Name],
): A => {
  const copy: Partial<A> = {};
  for (const key of Object.keys(from) as (keyof A)[]) copy[key] = from[key];
  copy[name] = value;
  return copy as A;
};

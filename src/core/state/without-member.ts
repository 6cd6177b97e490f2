/** Copies an object without one of its members, which may be absent. */
export const withoutMember = <A extends object, Name extends keyof A & string>(
  from: A,
  name: Name,
): Omit<A, Name> => {
  const rest: Partial<A> = {};
  for (const key of Object.keys(from) as (keyof A)[]) if (key !== name) rest[key] = from[key];
  return rest as Omit<A, Name>;
};

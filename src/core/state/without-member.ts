/** Copies an object without one of its members, which may be absent. */
export const withoutMember = <A extends object, Name extends keyof A & string>(
  from: A,
  name: Name,
): Omit<A, Name> => Object.fromEntries(Object.entries(from).filter(([key]) => key !== name)) as Omit<A, Name>;

/** Whether objects and arrays of a value stand deeper within each other than so many levels; a value that holds itself does. */
export const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1)));

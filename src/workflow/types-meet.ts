/** Whether two types, or two lists of types such as `INT,FLOAT`, have one in common. */
export const typesMeet = (one: string, other: string): boolean => {
  const members = new Set(one.split(',').map((name) => name.trim()));
  return other.split(',').some((name) => members.has(name.trim()));
};

/** Whether an output of one type may feed an input of another: equal without case, any, or a common member of two lists. */
export const fits = (one: string, other: string): boolean => {
  if (isAny(one) || isAny(other)) return true;
  const left = one.toLowerCase();
  const right = other.toLowerCase();
  if (left === right) return true;
  if (!left.includes(',') && !right.includes(',')) return false;
  const members = new Set(left.split(','));
  return right.split(',').some((member) => members.has(member));
};

/** Whether a type stands for all. */
export const isAny = (type: string): boolean => type === '*' || type === '' || type === '0';

/** Whether two values of JSON are the same, whatever the order of members; nothing is written for it. */
export const isSameJson = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [members, others] = [Object.entries(one), other as Readonly<Record<string, unknown>>];
  return (
    members.length === Object.keys(other).length &&
    members.every(([name, member]) => Object.hasOwn(others, name) && isSameJson(member, others[name]))
  );
};

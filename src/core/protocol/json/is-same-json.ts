/**
 * Whether two values of JSON are the same, whatever the order of members; nothing is written for it, and parts that are one object take no
 * time. Values that are nested more than `levels` deep are different, so that no untrusted value can exhaust the stack.
 */
export const isSameJson = (one: unknown, other: unknown, levels = 64): boolean => {
  if (one === other || Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (levels === 0 || Array.isArray(one) !== Array.isArray(other)) return false;
  const [members, others] = [Object.entries(one), other as Readonly<Record<string, unknown>>];
  return (
    members.length === Object.keys(other).length &&
    members.every(
      ([name, member]) => Object.hasOwn(others, name) && isSameJson(member, others[name], levels - 1),
    )
  );
};

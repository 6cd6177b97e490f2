/** An output's or input's type: its name, names apart by commas, or the list of a combo. */
export type SlotType = string | readonly unknown[];

/** True where an output may feed an input: equal, one name in common, equal lists, or a wildcard on either side. */
export const typesMatch = (output: SlotType, input: SlotType): boolean => {
  if (output === '*' || input === '*') return true;
  if (typeof output === 'string' && typeof input === 'string') {
    const offered = new Set(output.split(','));
    return input.split(',').some((name) => offered.has(name));
  }
  if (typeof output === 'string' || typeof input === 'string') return output === 'COMBO' || input === 'COMBO';
  return output.length === input.length && output.every((value, index) => value === input[index]);
};

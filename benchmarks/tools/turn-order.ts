/** The names in another order each round, forwards and backwards, so that nobody always comes after the same other one. */
export const turnOrder = <Name>(names: readonly Name[], round: number): readonly Name[] => {
  const shift = (round >> 1) % names.length;
  const rotated = [...names.slice(shift), ...names.slice(0, shift)];
  return round % 2 === 0 ? rotated : rotated.reverse();
};

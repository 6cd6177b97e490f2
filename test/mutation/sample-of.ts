import { createHash } from 'node:crypto';

/** Up to `count` of these, in their order: always the same ones for the same seed, and spread as by chance. */
export const sampleOf = <A extends number>(all: readonly A[], count: number, seed: string): readonly A[] => {
  if (all.length <= count) return all;
  const rank = new Map(all.map((one) => [one, createHash('sha256').update(`${seed} ${one}`).digest('hex')]));
  const chosen = new Set(
    all.toSorted((one, other) => (rank.get(one)! < rank.get(other)! ? -1 : 1)).slice(0, count),
  );
  return all.filter((one) => chosen.has(one));
};

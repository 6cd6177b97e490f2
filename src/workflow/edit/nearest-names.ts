/**
 * The names that are like a given one, the nearest first and three at most; for a person who chooses among them. Of thousands of names the last
 * are not looked at.
 */
export const nearestNames = (name: string, candidates: Iterable<string>): readonly string[] => {
  const wanted = pairsOf(name);
  const [first, ...others] = firstOf(new Set(candidates))
    .map((candidate) => ({ candidate, likeness: likenessOf(wanted, pairsOf(candidate)) }))
    .filter(({ likeness }) => likeness >= 0.4)
    .toSorted((one, other) => other.likeness - one.likeness);
  if (first === undefined) return [];
  const near = others.filter(({ likeness }) => likeness > 0.6 * first.likeness);
  return [first, ...near.slice(0, 2)].map(({ candidate }) => candidate);
};

/** The share of pairs of letters that two names have in common (Dice's coefficient): takes time linear in their lengths. */
const likenessOf = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  const common = [...one].filter((pair) => other.has(pair)).length;
  return (2 * common) / (one.size + other.size);
};

/** The letters of a long name beyond these don't count. */
const longest = 200;

/** So many letters are compared, which takes some ten milliseconds. */
const maxLetters = 100_000;

/** The first names, while they have no more letters together than may be compared. */
const firstOf = (names: Iterable<string>): readonly string[] => {
  const first: string[] = [];
  let left = maxLetters;
  for (const name of names) {
    left -= Math.min(name.length, longest);
    if (left < 0) break;
    first.push(name);
  }
  return first;
};

/** Pairs of neighbours, with the beginning and the end as neighbours of the first letter and the last. */
const pairsOf = (name: string): ReadonlySet<string> => {
  const letters = `^${name.trim().slice(0, longest).toLowerCase()}$`;
  return new Set(Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2)));
};

/** The end of a sentence about a name, such as `; "a" is like it`; empty if none is. */
export const likeIt = (nearest: readonly string[]): string =>
  nearest.length === 0
    ? ''
    : `; ${nearest.map((name) => JSON.stringify(name)).join(', ')} ${nearest.length === 1 ? 'is' : 'are'} like it`;

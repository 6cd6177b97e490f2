/** Finds the name that was meant; undefined where none is clearly nearest. */
export type Suggest = (name: string, candidates: Iterable<string>) => string | undefined;

/**
 * Makes a finder of similar names: the same but for case, blanks and slashes; the same file in another folder; a few letters
 * apart. Digits must agree, because `model-2` is another model than `model-1`.
 *
 * All its searches together do a bounded amount of work, so that thousands of misspelt names cost no more than linear time;
 * after that it suggests nothing.
 */
export const suggester = (budget = 4_000_000): Suggest => {
  let left = budget;
  const known = new Map<string, string>();
  const plainOf = (text: string): string => {
    let plain = known.get(text);
    if (plain === undefined) known.set(text, (plain = text.trim().toLowerCase().replaceAll('\\', '/')));
    return plain;
  };
  return (name, candidates) => {
    if (name.length > longest || left <= 0) return undefined;
    const wanted = plainOf(name);
    const digits = digitsOf(wanted);
    let best: string | undefined;
    let distance = Math.min(4, Math.floor(wanted.length / 3)) + 1;
    let isTied = false;
    for (const candidate of candidates) {
      left -= 8;
      if (candidate.length > longest || left <= 0) continue;
      const plain = plainOf(candidate);
      let apart = plain === wanted ? 0 : baseOf(plain) === baseOf(wanted) ? 0.5 : distance + 1;
      if (
        apart > distance &&
        Math.abs(plain.length - wanted.length) < distance &&
        digitsOf(plain) === digits
      ) {
        left -= plain.length * wanted.length;
        apart = distanceOf(wanted, plain);
      }
      if (apart > distance || (apart === distance && best === undefined)) continue;
      isTied = apart === distance;
      if (!isTied) [best, distance] = [candidate, apart];
    }
    return isTied ? undefined : best;
  };
};

const longest = 100;

const digitsOf = (text: string): string => text.replace(/\D/gu, '');

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** How many letters were missed, added, changed or swapped with their neighbour. */
const distanceOf = (one: string, other: string): number => {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        least = Math.min(least, (before[column - 2] ?? 0) + 1);
      current.push(least);
    }
    before = above;
    above = current;
  }
  return above[other.length] ?? 0;
};

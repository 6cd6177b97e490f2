import { kept } from '../kept.js';

/** Finds the name that was meant; undefined where none is clearly nearest. */
export type Suggest = (name: string, candidates: readonly string[]) => string | undefined;

/**
 * Makes a finder of similar names: the same but for case, blanks and slashes; the same file in another folder; a few letters
 * apart. Digits must agree, because `model-2` is another model than `model-1`.
 *
 * All its searches together do a bounded amount of work, so that thousands of misspelt names cost no more than linear time;
 * after that it suggests nothing.
 */
export const suggester = (budget = 4_000_000): Suggest => {
  let left = budget;
  const known = new Map<string, Name>();
  const nameOf = (text: string): Name => kept(known, text, readName);
  return (name, candidates) => {
    if (name.length > longest || left <= 0) return undefined;
    const wanted = nameOf(name);
    let best: string | undefined;
    let distance = Math.min(4, Math.floor(wanted.plain.length / 3)) + 1;
    let isTied = false;
    for (const candidate of candidates) {
      left -= 8;
      if (candidate.length > longest || left <= 0) continue;
      const { plain, base, digits } = nameOf(candidate);
      let apart = plain === wanted.plain ? 0 : base === wanted.base ? 0.5 : distance + 1;
      if (
        apart > distance &&
        Math.abs(plain.length - wanted.plain.length) < distance &&
        digits === wanted.digits
      ) {
        left -= plain.length * wanted.plain.length;
        apart = distanceOf(wanted.plain, plain);
      }
      if (apart > distance || (apart === distance && best === undefined)) continue;
      isTied = apart === distance;
      if (!isTied) [best, distance] = [candidate, apart];
    }
    return isTied ? undefined : best;
  };
};

/** A name without what may differ, the part of it after the last slash, and its digits. */
interface Name {
  readonly plain: string;
  readonly base: string;
  readonly digits: string;
}

const readName = (text: string): Name => {
  const plain = text.trim().toLowerCase().replaceAll('\\', '/');
  return {
    plain,
    base: plain.slice(plain.lastIndexOf('/') + 1),
    digits: plain.replace(/\D/gu, ''),
  };
};

const longest = 100;

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

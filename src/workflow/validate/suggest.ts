import { kept } from '../kept.js';

/** Finds the name that was meant; undefined where none is clearly nearest. */
export type Suggest = (name: string, candidates: readonly unknown[]) => string | undefined;

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
      if (typeof candidate !== 'string') continue;
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
  const apart: number[][] = [];
  const at = (row: number, column: number): number => apart[row]?.[column] ?? Math.max(row, column);
  for (let row = 1; row <= one.length; row += 1) {
    const current: number[] = [];
    apart[row] = current;
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
      );
    }
  }
  return at(one.length, other.length);
};

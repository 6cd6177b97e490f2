import { kept } from '../kept.js';

/**
 * A name that may have been meant, and how it differs: not at all but for case, blanks and slashes (`same`), as a file in another folder
 * or of another ending (`file`), by a letter that is missing, too many or swapped with its neighbour (`typo`), or by a letter in place
 * of another one (`letter`), by which real names differ as well.
 */
export interface Meant {
  readonly name: string;
  readonly differs: 'same' | 'file' | 'typo' | 'letter';
}

/** Finds the name that may have been meant; undefined if none is clearly nearest. */
export type Suggest = (name: string, candidates: readonly unknown[]) => Meant | undefined;

/**
 * Makes a finder of similar names. Digits must agree, because `model-2` is another model than `model-1`.
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
    let best: Meant | undefined;
    let distance = Infinity;
    let isTied = false;
    for (const candidate of candidates) {
      if (typeof candidate !== 'string') continue;
      left -= 8;
      if (candidate.length > longest || left <= 0) continue;
      const other = nameOf(candidate);
      if (Math.abs(other.plain.length - wanted.plain.length) < 2) left -= other.plain.length;
      const [apart, differs] = difference(wanted, other);
      if (differs === undefined || apart > distance) continue;
      isTied = apart === distance;
      if (!isTied) best = { name: candidate, differs };
      distance = apart;
    }
    return isTied ? undefined : best;
  };
};

/** A name without what may differ, its parts as of a path, and its digits. */
interface Name {
  readonly plain: string;
  readonly file: string;
  /** The file without its ending; undefined if it has none. */
  readonly stem: string | undefined;
  readonly digits: string;
}

const readName = (text: string): Name => {
  const plain = text.toLowerCase().replaceAll('\\', '/').replace(/\s+/gu, '');
  const file = plain.slice(plain.lastIndexOf('/') + 1);
  const [, stem] = /^(.+)\.[a-z]\w{1,11}$/u.exec(file) ?? [];
  return { plain, file, stem, digits: plain.replace(/\D/gu, '') };
};

const longest = 100;

/** How far two names are apart, the nearest first. */
const difference = (one: Name, other: Name): readonly [apart: number, differs?: Meant['differs']] => {
  if (one.plain === other.plain) return [0, 'same'];
  if (one.file === other.file) return [1, 'file'];
  if (one.stem !== undefined && one.stem === other.stem) return [2, 'file'];
  // Files one letter apart, such as `clip_g.safetensors` and `clip_l.safetensors`, are two models.
  if (one.stem !== undefined || one.digits !== other.digits || one.plain.length < 3) return [3];
  return [3, oneLetter(one.plain, other.plain)];
};

/** How two names differ that differ by one letter, or by two neighbours in the other order. */
const oneLetter = (one: string, other: string): Meant['differs'] | undefined => {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [rest, otherRest] = [one.slice(at), other.slice(at)];
  const [first = '', second = ''] = rest;
  const isTypo =
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    second + first + rest.slice(2) === otherRest;
  if (isTypo) return 'typo';
  return rest.slice(1) === otherRest.slice(1) ? 'letter' : undefined;
};

import { createHash } from 'node:crypto';

/** A source of random ids; the same seed gives the same ids in the same order. */
export interface Ids {
  /** `length` lower-case hexadecimal digits. */
  readonly hex: (length: number) => string;
  /** A UUID of version 4. */
  readonly uuid: () => string;
  /** How many were drawn. */
  readonly drawn: () => number;
  /** Leaves out those that were drawn before: the next one comes after so many. */
  readonly goOnAfter: (drawn: number) => void;
}

/** Ids that are digests of the seed and a counter. */
export const createIds = (seed: number): Ids => {
  let drawn = 0;
  const draw = (): string =>
    createHash('sha256')
      .update(`promptwire ${seed} ${(drawn += 1)}`)
      .digest('hex');
  const hex = (length: number): string => {
    let digits = draw();
    while (digits.length < length) digits += draw();
    return digits.slice(0, length);
  };
  const uuid = (): string => {
    const digits = hex(32);
    const variant = '89ab'.charAt(Number.parseInt(digits.charAt(16), 16) & 3);
    const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`];
    return [...parts, variant + digits.slice(17, 20), digits.slice(20)].join('-');
  };
  return {
    hex,
    uuid,
    drawn: () => drawn,
    goOnAfter: (count) => {
      drawn = Math.max(drawn, count);
    },
  };
};

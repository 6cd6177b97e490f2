/** A repeatable source of numbers in [0, 1). */
export type Random = () => number;

/**
 * Makes a repeatable source of random numbers from a whole 64-bit seed and the name of a stream.
 *
 * Every bit of the seed counts. Streams of one seed have nothing to do with each other, so adding one leaves the others
 * as they are.
 */
export const seededRandom = (seed: bigint, stream = ''): Random => {
  const first = splitMix(BigInt.asUintN(64, seed) ^ hashText(stream));
  const second = splitMix(first);
  const words = [first, first >> 32n, second, second >> 32n].map((word) => Number(BigInt.asUintN(32, word)));
  return smallFastCounter(words[0] ?? 0, words[1] ?? 0, words[2] ?? 0, words[3] ?? 0);
};

/** Hashes a text to 64 bits (FNV-1a over its UTF-8 bytes). */
export const hashText = (text: string): bigint =>
  Buffer.from(text, 'utf8').reduce(
    (hash, byte) => BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n),
    0xcbf29ce484222325n,
  );

/** One step of the SplitMix64 generator: neighbouring seeds lead to unrelated states. */
const splitMix = (state: bigint): bigint => {
  let z = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
};

/** The sfc32 generator: fast in 32-bit arithmetic, with a counter that rules out short cycles. */
const smallFastCounter = (a: number, b: number, c: number, counter: number): Random => {
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 0x1_0000_0000;
  };
  for (let warmUp = 0; warmUp < 12; warmUp += 1) next();
  return next;
};

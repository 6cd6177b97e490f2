/** A prefix code over symbols 0 to 255. */
export interface HuffmanCode {
  /** The symbols that have a code, shortest code first. */
  readonly symbols: readonly number[];
  /** Symbol → length of its code in bits, 1 to 16; 0 for symbols without one. */
  readonly lengths: Uint8Array;
  /** Symbol → its code. */
  readonly codes: Uint16Array;
}

/**
 * Makes the best code for symbols that occur so many times, within what JPEG allows: at most 16 bits, and no code of
 * ones alone.
 */
export const huffmanCode = (counts: Uint32Array): HuffmanCode => {
  const lengths = new Uint8Array(256);
  const depths = depthsWithin16(counts);
  const used = [...depths.keys()].filter((symbol) => symbol !== reserved);
  const symbols = used.toSorted((a, b) => (depths.get(a) ?? 0) - (depths.get(b) ?? 0) || a - b);
  const codes = new Uint16Array(256);
  let code = 0;
  let length = 0;
  for (const symbol of symbols) {
    const depth = depths.get(symbol) ?? 0;
    code <<= depth - length;
    length = depth;
    lengths[symbol] = depth;
    codes[symbol] = code;
    code += 1;
  }
  return { symbols, lengths, codes };
};

/** A symbol that is never written: it takes the last of the longest codes, the one of ones alone. */
const reserved = -1;

type Depths = ReadonlyMap<number, number>;

/** Flattens the counts until no symbol lies too deep. */
const depthsWithin16 = (counts: Uint32Array): Depths => {
  const depths = depthsOf(counts);
  return Math.max(...depths.values()) <= 16
    ? depths
    : depthsWithin16(counts.map((count) => Math.ceil(count / 2)));
};

interface Tree {
  readonly count: number;
  readonly symbols: readonly number[];
}

/** Joins the two rarest trees until one is left; each join lays their symbols one deeper. */
const depthsOf = (counts: Uint32Array): Depths => {
  let trees: readonly Tree[] = [
    { count: 0, symbols: [reserved] },
    ...[...counts.entries()]
      .filter(([, count]) => count > 0)
      .map(([symbol, count]) => ({ count, symbols: [symbol] })),
  ];
  const depths = new Map(
    trees.flatMap(({ symbols }) => symbols.map((symbol): [number, number] => [symbol, 0])),
  );
  while (trees.length > 1) {
    const [first, second, ...rest] = trees.toSorted((a, b) => a.count - b.count);
    if (!first || !second) break;
    const symbols = [...first.symbols, ...second.symbols];
    for (const symbol of symbols) depths.set(symbol, (depths.get(symbol) ?? 0) + 1);
    trees = [{ count: first.count + second.count, symbols }, ...rest];
  }
  return depths;
};

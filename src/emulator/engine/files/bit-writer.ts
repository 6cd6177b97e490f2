/** Writes a bit string as the video standard wants it: most significant bit first. */
export interface BitWriter {
  /** `count` bits (up to 32) of an unsigned number. */
  readonly bits: (value: number, count: number) => void;
  /** An unsigned Exp-Golomb code. */
  readonly unsigned: (value: number) => void;
  /** A signed Exp-Golomb code. */
  readonly signed: (value: number) => void;
  /** Zero bits up to the next byte. */
  readonly align: () => void;
  /** Whole bytes; only when aligned. */
  readonly bytes: (bytes: Uint8Array) => void;
  /** The stop bit and zero bits up to the next byte, then all that was written. */
  readonly finish: () => Uint8Array;
}

/** Makes an empty writer. */
export const bitWriter = (): BitWriter => {
  const chunks: Uint8Array[] = [];
  let pending: number[] = [];
  let byte = 0;
  let filled = 0;

  const bit = (value: number): void => {
    byte = (byte << 1) | value;
    filled += 1;
    if (filled < 8) return;
    pending.push(byte);
    byte = 0;
    filled = 0;
  };
  const bits = (value: number, count: number): void => {
    for (let place = count - 1; place >= 0; place -= 1) bit((value >>> place) & 1);
  };
  const unsigned = (value: number): void => {
    const width = 32 - Math.clz32(value + 1);
    bits(0, width - 1);
    bits(value + 1, width);
  };
  const align = (): void => {
    while (filled > 0) bit(0);
  };
  const flush = (): void => {
    chunks.push(Uint8Array.from(pending));
    pending = [];
  };

  return {
    bits,
    unsigned,
    signed: (value) => unsigned(value > 0 ? value * 2 - 1 : -value * 2),
    align,
    bytes: (bytes) => {
      flush();
      chunks.push(bytes);
    },
    finish: () => {
      bit(1);
      align();
      flush();
      return Buffer.concat(chunks);
    },
  };
};

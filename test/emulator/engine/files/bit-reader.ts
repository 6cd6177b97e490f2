/** Reads a NAL unit's payload bit by bit; written for tests, apart from the writer. */
export const bitReader = (unit: Uint8Array) => {
  const payload: number[] = [];
  unit.subarray(1).forEach((byte, index, all) => {
    const escape = byte === 3 && index >= 2 && all[index - 1] === 0 && all[index - 2] === 0;
    if (!escape) payload.push(byte);
  });
  let at = 0;
  const bits = (count: number): number => {
    let value = 0;
    for (let read = 0; read < count; read += 1, at += 1)
      value = value * 2 + ((payload[at >> 3]! >> (7 - (at & 7))) & 1);
    return value;
  };
  const unsigned = (): number => {
    let zeros = 0;
    while (bits(1) === 0) zeros += 1;
    return 2 ** zeros - 1 + bits(zeros);
  };
  return {
    bits,
    unsigned,
    bytes: (count: number): readonly number[] => {
      at = Math.ceil(at / 8) * 8;
      const read = payload.slice(at / 8, at / 8 + count);
      at += count * 8;
      return read;
    },
    /** True when only the stop bit and zeros are left. */
    atEnd: (): boolean => {
      const rest = payload.length * 8 - at;
      const mark = at;
      const tail = rest > 8 ? [] : Array.from({ length: rest }, () => bits(1));
      at = mark;
      return tail[0] === 1 && tail.slice(1).every((bit) => bit === 0);
    },
  };
};

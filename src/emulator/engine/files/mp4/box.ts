/** Part of a box: bytes, or text in Latin-1. */
export type BoxPart = Uint8Array | string;

/** Makes an MP4 box: size, type, then its parts. */
export const box = (type: string, ...parts: readonly BoxPart[]): Uint8Array => {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  );
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
};

/** Makes a box with version 0 and the given flags. */
export const fullBox = (type: string, flags: number, ...parts: readonly BoxPart[]): Uint8Array =>
  box(type, u32(flags), ...parts);

/** Big-endian 32-bit numbers. */
export const u32 = (...values: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value >>> 0, index * 4));
  return bytes;
};

/** Big-endian 16-bit numbers. */
export const u16 = (...values: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16BE(value & 0xffff, index * 2));
  return bytes;
};

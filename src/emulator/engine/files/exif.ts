/**
 * Writes texts as a block of Exif data without the marker of a JPEG segment: the first as the camera's model, the next as its make,
 * further ones under the tags before.
 */
export const encodeExif = (texts: readonly string[]): Uint8Array => {
  const entries = texts
    .map((text, at) => ({ tag: model - at, value: Buffer.from(`${text}\0`, 'utf8') }))
    .toSorted((one, other) => one.tag - other.tag);
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  directory.writeUInt16BE(entries.length, 0);
  let place = header.length + directory.length;
  for (const [at, { tag, value }] of entries.entries()) {
    const entry = 2 + at * 12;
    directory.writeUInt16BE(tag, entry);
    directory.writeUInt16BE(ascii, entry + 2);
    directory.writeUInt32BE(value.length, entry + 4);
    if (value.length <= 4) directory.set(value, entry + 8);
    else directory.writeUInt32BE(place, entry + 8);
    place += value.length <= 4 ? 0 : value.length;
  }
  return Buffer.concat([
    ...[header, directory],
    ...entries.map(({ value }) => value).filter(({ length }) => length > 4),
  ]);
};

/** Big-endian TIFF, whose first directory follows at once. */
const header = Buffer.from([0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8]);
const model = 0x01_10;
const ascii = 2;

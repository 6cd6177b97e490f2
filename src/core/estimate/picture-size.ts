/** The megapixels of a PNG, JPEG or WebP picture by its first bytes; undefined for anything else. */
export const megapixelsOf = (head: Uint8Array): number | undefined => {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    const size = sizeOfPng(view) ?? sizeOfJpeg(view) ?? sizeOfWebp(view);
    return size === undefined ? undefined : (size[0] * size[1]) / 1e6;
  } catch {
    // It ends before its size.
    return undefined;
  }
};

type Size = readonly [width: number, height: number];

const sizeOfPng = (view: DataView): Size | undefined =>
  view.getUint32(0) === 0x89504e47 ? [view.getUint32(16), view.getUint32(20)] : undefined;

/** The size stands in the first segment of a frame; its markers are C0 to CF but for three. */
const sizeOfJpeg = (view: DataView): Size | undefined => {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return [view.getUint16(at + 7), view.getUint16(at + 5)];
  }
  return undefined;
};

const sizeOfWebp = (view: DataView): Size | undefined => {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return undefined;
  const low = (at: number): number => view.getUint16(at, true) & 0x3fff;
  const three = (at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  switch (view.getUint32(12)) {
    case 0x56503820:
      return [low(26), low(28)];
    case 0x5650384c: {
      const bits = view.getUint32(21, true);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case 0x56503858:
      return [three(24) + 1, three(27) + 1];
    default:
      return undefined;
  }
};

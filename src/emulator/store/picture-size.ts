/** Reads the size from the header of a PNG or JPEG, without decoding it. */
export const pictureSize = (
  bytes: Uint8Array,
): { readonly width: number; readonly height: number } | undefined => {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 24 && data.getUint32(0) === 0x89504e47) {
    return { width: data.getUint32(16), height: data.getUint32(20) };
  }
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? jpegSize(data) : undefined;
};

/** Walks the segments up to the frame header (any of the SOF markers, C0 to CF but C4, C8 and CC). */
const jpegSize = (data: DataView): { readonly width: number; readonly height: number } | undefined => {
  let at = 2;
  while (at + 9 <= data.byteLength && data.getUint8(at) === 0xff) {
    const marker = data.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: data.getUint16(at + 5), width: data.getUint16(at + 7) };
    }
    at += 2 + data.getUint16(at + 2);
  }
  return undefined;
};

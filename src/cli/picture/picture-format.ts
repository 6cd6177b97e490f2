/** Finds out by the magic bytes whether these are a JPEG or a PNG; names and media types do not count. */
export const pictureFormat = (image: Uint8Array): 'jpeg' | 'png' | undefined => {
  if (jpegMagic.every((byte, at) => image[at] === byte)) return 'jpeg';
  if (pngMagic.every((byte, at) => image[at] === byte)) return 'png';
  return undefined;
};

const jpegMagic = [0xff, 0xd8, 0xff];
const pngMagic = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

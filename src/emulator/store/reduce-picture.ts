import { decodeRgba, type Rgba, withoutAlpha } from '../engine/files/picture-files.js';
import { encodeJpeg } from '../engine/files/jpeg.js';
import { encodeWebp } from '../engine/files/webp.js';
import { PNG } from 'pngjs';

/** The `channel` and `res` of a view request. */
export interface Reduction {
  readonly channel: string | null;
  /** The longest edge, 64 to 1024. */
  readonly edge: number | undefined;
  /** The format of a picture with an `edge`; default JPEG. */
  readonly format?: 'jpeg' | 'webp';
}

/** The reduced picture, or a message that says why the picture can't be reduced. */
export const reducePicture = (
  bytes: Uint8Array,
  { channel, edge, format = 'jpeg' }: Reduction,
): { readonly mediaType: string; readonly bytes: Uint8Array } | string => {
  if (edge !== undefined && !(edge >= 64 && edge <= 1024)) return '`res` takes 64 to 1024.';
  if (channel !== null && !['rgb', 'a', 'alpha'].includes(channel)) return '`channel` takes rgb or a.';
  const picture = decodeRgba(bytes);
  if (!picture) return 'The file is no picture that can be reduced.';
  const chosen = channel === null ? picture : keepChannel(picture, channel === 'rgb');
  if (edge === undefined) return { mediaType: 'image/png', bytes: encodePng(chosen) };
  const small = shrink(chosen, edge);
  if (format === 'webp') return { mediaType: 'image/webp', bytes: encodeWebp(small) };
  return { mediaType: 'image/jpeg', bytes: encodeJpeg(withoutAlpha(small), { quality: 85 }) };
};

/** Encodes a picture as PNG with its alpha. */
const encodePng = ({ width, height, data }: Rgba): Uint8Array => {
  const png = new PNG({ width, height });
  png.data = Buffer.from(data);
  return PNG.sync.write(png);
};

/** Colours without alpha, or the alpha as grey. */
const keepChannel = ({ width, height, data }: Rgba, colours: boolean): Rgba => {
  const kept = Uint8Array.from(data);
  for (let at = 0; at < kept.length; at += 4) {
    if (!colours) kept.fill(data[at + 3] ?? 255, at, at + 3);
    kept[at + 3] = 255;
  }
  return { width, height, data: kept };
};

const shrink = (picture: Rgba, edge: number): Rgba => {
  const scale = Math.min(1, edge / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = (Math.floor(y / scale) * picture.width + Math.floor(x / scale)) * 4;
      data.set(picture.data.subarray(from, from + 4), (y * width + x) * 4);
    }
  }
  return { width, height, data };
};

/** The original with the mask's alpha instead of its own, as PNG; or a message why not. */
export const mergeMask = (original: Uint8Array, mask: Uint8Array): Uint8Array | string => {
  const below = decodeRgba(original);
  const above = decodeRgba(mask);
  if (!below) return 'The original is no PNG or JPEG.';
  if (!above) return 'The mask is no PNG or JPEG.';
  if (below.width !== above.width || below.height !== above.height)
    return 'Mask and original differ in size.';
  const data = Uint8Array.from(below.data);
  for (let at = 3; at < data.length; at += 4) data[at] = above.data[at] ?? 255;
  return encodePng({ width: below.width, height: below.height, data });
};

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

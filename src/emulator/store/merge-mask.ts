import { decodePicture } from './decode-picture.js';
import { encodePng } from './reduce-picture.js';

/** The original with the mask's alpha in place of its own, as PNG; or in words why that can't be. */
export const mergeMask = (original: Uint8Array, mask: Uint8Array): Uint8Array | string => {
  const below = decodePicture(original);
  const above = decodePicture(mask);
  if (!below) return 'The original is no PNG or JPEG.';
  if (!above) return 'The mask is no PNG or JPEG.';
  if (below.width !== above.width || below.height !== above.height)
    return 'Mask and original differ in size.';
  const data = Uint8Array.from(below.data);
  for (let at = 3; at < data.length; at += 4) data[at] = above.data[at] ?? 255;
  return encodePng({ width: below.width, height: below.height, data });
};

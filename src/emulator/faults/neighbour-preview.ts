import { encodePlainPreview } from '../wire.js';

/** A preview of somebody else's job: a frame of type 1 with this much of a JPEG. */
export const neighbourPreview = (bytes: number): Uint8Array => {
  const picture = new Uint8Array(bytes);
  picture.set([0xff, 0xd8, 0xff].slice(0, bytes));
  return encodePlainPreview({ mediaType: 'image/jpeg', bytes: picture });
};

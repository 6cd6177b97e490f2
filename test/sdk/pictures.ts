import { randomBytes } from 'node:crypto';
import { PNG } from 'pngjs';

/** A small picture that no other call has made. */
export const picture = (): Uint8Array<ArrayBuffer> => {
  const png = new PNG({ width: 16, height: 16 });
  png.data = randomBytes(16 * 16 * 4);
  return new Uint8Array(PNG.sync.write(png));
};

import { describe, expect, it } from 'vitest';
import jpeg from 'jpeg-js';
import { pictureSize } from '../../../src/emulator/store/reduce-picture.js';
import { PNG } from 'pngjs';

describe('pictureSize', () => {
  it('reads PNG and JPEG headers', () => {
    const png = PNG.sync.write(new PNG({ width: 7, height: 3 }));
    const { data } = jpeg.encode({ width: 300, height: 9, data: Buffer.alloc(300 * 9 * 4) }, 50);
    expect(pictureSize(png)).toEqual({ width: 7, height: 3 });
    expect(pictureSize(data)).toEqual({ width: 300, height: 9 });
  });

  it('knows nothing of other bytes, of cut headers and of none', () => {
    const { data } = jpeg.encode({ width: 8, height: 8, data: Buffer.alloc(256) }, 50);
    for (const bytes of [Buffer.from('RIFF'), data.subarray(0, 20), data.subarray(0, 3), Buffer.alloc(0)]) {
      expect(pictureSize(bytes)).toBeUndefined();
    }
  });
});

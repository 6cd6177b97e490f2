import { describe, expect, it } from 'vitest';
import { cut } from '../../../src/emulator/engine/cut.js';
import { testPicture } from './run-node.js';

describe('cut', () => {
  it('takes a rectangle', () => {
    const picture = testPicture(5, 4);
    const part = cut(picture, { left: 2, top: 1, width: 2, height: 2 });
    expect([...part.rgb.subarray(0, 3)]).toEqual([...picture.rgb.subarray((5 + 2) * 3, (5 + 3) * 3)]);
    expect(part.rgb).toHaveLength(12);
  });
});

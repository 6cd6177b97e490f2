import { describe, expect, it } from 'vitest';
import { macroblocksOf } from '../../../../../src/emulator/engine/files/mp4/macroblocks.js';
import { plainPicture, testPicture } from '../../run-node.js';

describe('macroblocksOf', () => {
  it.each([
    ['black', [0, 0, 0], [16, 128, 128]],
    ['white', [255, 255, 255], [235, 128, 128]],
    ['red', [255, 0, 0], [81, 90, 240]],
    ['green', [0, 255, 0], [145, 54, 34]],
    ['blue', [0, 0, 255], [41, 240, 110]],
  ] as const)('turns %s into limited range', (_, colour, [luma, blue, red]) => {
    const [block] = macroblocksOf(plainPicture(16, 16, colour)).blocks;
    expect([block![0], block![256], block![320]]).toEqual([luma, blue, red]);
    expect(new Set(block!.subarray(0, 256)).size).toBe(1);
  });

  it('goes on with the last pixels where the size is no multiple of 16', () => {
    const { columns, rows, blocks } = macroblocksOf(testPicture(18, 34));
    expect([columns, rows, blocks.length]).toEqual([2, 3, 6]);
    const last = blocks[5]!;
    expect(last.subarray(16, 32)).toEqual(last.subarray(32, 48));
    expect(new Set(last.subarray(17, 32)).size).toBe(1);
  });

  it('never leaves the range of video levels', () => {
    for (const block of macroblocksOf(testPicture(32, 32)).blocks) {
      expect(Math.min(...block)).toBeGreaterThanOrEqual(16);
      expect(Math.max(...block)).toBeLessThanOrEqual(240);
    }
  });
});

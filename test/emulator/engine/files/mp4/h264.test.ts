import { describe, expect, it } from 'vitest';
import { encodeH264 } from '../../../../../src/emulator/engine/files/mp4/h264.js';
import { macroblocksOf } from '../../../../../src/emulator/engine/files/mp4/macroblocks.js';
import type { Picture } from '../../../../../src/emulator/engine/node-class.js';
import { plainPicture, testPicture } from '../../run-node.js';
import { bitReader } from './bit-reader.js';

/** The macroblocks that a slice changes, by place. */
const changesOf = (
  unit: Uint8Array,
  isKey: boolean,
  count: number,
): ReadonlyMap<number, readonly number[]> => {
  const reader = bitReader(unit);
  expect(reader.unsigned()).toBe(0);
  expect(reader.unsigned()).toBe(isKey ? 7 : 5);
  expect(reader.unsigned()).toBe(0);
  reader.bits(4);
  if (isKey) reader.unsigned();
  reader.bits(isKey ? 2 : 3);
  reader.unsigned();
  expect(reader.unsigned()).toBe(1);
  const changed = new Map<number, readonly number[]>();
  for (let place = 0; place < count; place += 1) {
    if (!isKey) place += reader.unsigned();
    if (place >= count) break;
    expect(reader.unsigned()).toBe(isKey ? 25 : 30);
    changed.set(place, reader.bytes(384));
  }
  expect(reader.atEnd()).toBe(true);
  return changed;
};

const withSpot = (picture: Picture, at: number): Picture => ({
  ...picture,
  rgb: picture.rgb.map((value, index) => (index === at ? 255 - value : value)),
});

describe('encodeH264', () => {
  it('makes one key frame, then frames that refer to the one before', () => {
    const pictures = [0, 1, 2].map((shift) => testPicture(32, 16, shift));
    const { frames, sequenceParameters, pictureParameters } = encodeH264(pictures, { framesPerSecond: 8 });
    const types = [sequenceParameters, pictureParameters, ...frames].map((unit) => unit[0]! & 31);
    expect(types).toEqual([7, 8, 5, 1, 1]);
  });

  it('names profile, level, size and cropping in the sequence parameters', () => {
    const { sequenceParameters } = encodeH264([testPicture(18, 34)], { framesPerSecond: 12.5 });
    const reader = bitReader(sequenceParameters);
    expect([reader.bits(8), reader.bits(8), reader.bits(8)]).toEqual([66, 0xc0, 40]);
    const [, , order, references] = [0, 0, 0, 0].map(reader.unsigned);
    expect([order, references]).toEqual([2, 1]);
    reader.bits(1);
    expect([reader.unsigned(), reader.unsigned()]).toEqual([1, 2]);
    expect(reader.bits(3)).toBe(0b111);
    expect([0, 0, 0, 0].map(reader.unsigned)).toEqual([0, 7, 0, 7]);
    expect(reader.bits(9)).toBe(0b1_00_1_101_0_1);
    reader.bits(24 + 2);
    expect([reader.bits(32), reader.bits(32)]).toEqual([1000, 25_000]);
  });

  it('has every macroblock of the key frame as plain samples', () => {
    const picture = testPicture(40, 24);
    const { frames } = encodeH264([picture], { framesPerSecond: 8 });
    const { blocks } = macroblocksOf(picture);
    const decoded = changesOf(frames[0]!, true, blocks.length);
    expect([...decoded.values()]).toEqual(blocks.map((block) => [...block]));
  });

  it('skips macroblocks that stay as they are', () => {
    const still = plainPicture(64, 32, [90, 120, 40]);
    const spotted = withSpot(still, (17 * 64 + 33) * 3);
    const { frames } = encodeH264([still, still, spotted, spotted], { framesPerSecond: 8 });
    const changed = frames.slice(1).map((unit) => [...changesOf(unit, false, 8).keys()]);
    expect(changed).toEqual([[], [6], []]);
    expect(frames[1]!.length).toBeLessThan(10);
  });

  it('never shows a start code within a unit', () => {
    const { frames, sequenceParameters } = encodeH264([testPicture(64, 64)], { framesPerSecond: 8 });
    for (const unit of [...frames, sequenceParameters]) {
      expect(/\0\0[\0\u0001\u0002]/.test(Buffer.from(unit).toString('latin1'))).toBe(false);
    }
  });
});

import { bitReader } from './bit-reader.js';
import { bitWriter, type BitWriter } from '../../../../src/emulator/engine/files/bit-writer.js';
import { describe, expect, it } from 'vitest';
import { encodeH264, macroblocksOf, nalUnit } from '../../../../src/emulator/engine/files/h264.js';
import type { Picture } from '../../../../src/emulator/engine/node-class.js';
import { plainPicture, testPicture } from '../run-node.js';

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

describe('nalUnit', () => {
  it('begins with importance and type', () => {
    expect([...nalUnit(3, 7, Uint8Array.of(9))]).toEqual([0x67, 9]);
  });

  it.each([
    [
      [0, 0, 0],
      [0, 0, 3, 0],
    ],
    [
      [0, 0, 1],
      [0, 0, 3, 1],
    ],
    [
      [0, 0, 3],
      [0, 0, 3, 3],
    ],
    [
      [0, 0, 4],
      [0, 0, 4],
    ],
    [
      [0, 1, 0, 0],
      [0, 1, 0, 0],
    ],
    [
      [0, 0, 0, 0, 0, 1],
      [0, 0, 3, 0, 0, 3, 0, 1],
    ],
  ])('escapes %j as %j', (payload, escaped) => {
    expect([...nalUnit(3, 5, Uint8Array.from(payload))].slice(1)).toEqual(escaped);
  });
});

const written = (write: (writer: BitWriter) => void): string => {
  const writer = bitWriter();
  write(writer);
  return [...writer.finish()].map((byte) => byte.toString(2).padStart(8, '0')).join(' ');
};

describe('bitWriter', () => {
  it('puts the most significant bit first and ends with a stop bit', () => {
    expect(written((writer) => writer.bits(0b101, 3))).toBe('10110000');
  });

  it('adds a whole byte for the stop bit where the bits before fill theirs', () => {
    expect(written((writer) => writer.bits(0xab, 8))).toBe('10101011 10000000');
  });

  it.each([
    [0, '1'],
    [1, '010'],
    [2, '011'],
    [3, '00100'],
    [7, '0001000'],
    [25, '000011010'],
  ])('writes %i as the unsigned code %s', (value, code) => {
    expect(
      written((writer) => writer.unsigned(value))
        .replaceAll(' ', '')
        .startsWith(`${code}1`),
    ).toBe(true);
  });

  it.each([
    [0, '1'],
    [1, '010'],
    [-1, '011'],
    [2, '00100'],
    [-2, '00101'],
  ])('writes %i as the signed code %s', (value, code) => {
    expect(
      written((writer) => writer.signed(value))
        .replaceAll(' ', '')
        .startsWith(`${code}1`),
    ).toBe(true);
  });

  it('aligns with zero bits before whole bytes', () => {
    const bits = written((writer) => {
      writer.bits(1, 1);
      writer.align();
      writer.bytes(Uint8Array.of(0xff, 0x01));
    });
    expect(bits).toBe('10000000 11111111 00000001 10000000');
  });

  it('writes 32 bits whose first one is set', () => {
    expect(written((writer) => writer.bits(0x80000001, 32))).toBe(
      '10000000 00000000 00000000 00000001 10000000',
    );
  });
});

import { bitWriter, type BitWriter } from './bit-writer.js';
import type { Picture } from '../node-class.js';

/** A video in H.264: the two parameter sets and one NAL unit a frame, without start codes or lengths. */
export interface H264Video {
  readonly sequenceParameters: Uint8Array;
  readonly pictureParameters: Uint8Array;
  /** The first one is a key frame, the others refer to the one before. */
  readonly frames: readonly Uint8Array[];
}

/**
 * Encodes pictures of one size (even width and height) as H.264 Constrained Baseline, without loss beyond YUV 4:2:0.
 *
 * The first frame has every macroblock as plain samples; a later frame has those that changed and skips the others.
 */
export const encodeH264 = (
  pictures: readonly Picture[],
  { framesPerSecond }: { readonly framesPerSecond: number },
): H264Video => {
  const frames = pictures.map(macroblocksOf);
  const [first] = pictures;
  return {
    sequenceParameters: nalUnit(
      3,
      7,
      sequenceParameters(first?.width ?? 16, first?.height ?? 16, framesPerSecond),
    ),
    pictureParameters: nalUnit(3, 8, pictureParameters()),
    frames: frames.map((frame, index) => {
      const before = frames[index - 1];
      return before === undefined
        ? nalUnit(3, 5, keyFrame(frame))
        : nalUnit(2, 1, changes(frame, before, index));
    }),
  };
};

const sequenceParameters = (width: number, height: number, framesPerSecond: number): Uint8Array => {
  const writer = bitWriter();
  const columns = Math.ceil(width / 16);
  const rows = Math.ceil(height / 16);
  writer.bits(66, 8); // profile: Baseline …
  writer.bits(0b1100_0000, 8); // … constrained
  writer.bits(40, 8); // level 4
  writer.unsigned(0); // set 0
  writer.unsigned(0); // frame numbers have 4 bits
  writer.unsigned(2); // output order is decoding order
  writer.unsigned(1); // one reference frame
  writer.bits(0, 1); // no gaps in frame numbers
  writer.unsigned(columns - 1);
  writer.unsigned(rows - 1);
  writer.bits(1, 1); // frames, no fields
  writer.bits(1, 1); // direct 8 × 8 inference
  cropping(writer, columns * 16 - width, rows * 16 - height);
  usability(writer, framesPerSecond);
  return writer.finish();
};

/** What the blocks have more than the picture, in units of two pixels. */
const cropping = (writer: BitWriter, right: number, bottom: number): void => {
  const needed = right > 0 || bottom > 0;
  writer.bits(needed ? 1 : 0, 1);
  if (needed) [0, right / 2, 0, bottom / 2].forEach(writer.unsigned);
};

/** Colour space and timing. */
const usability = (writer: BitWriter, framesPerSecond: number): void => {
  writer.bits(1, 1);
  writer.bits(0, 2); // no aspect ratio, no overscan
  writer.bits(1, 1); // video signal type: unspecified format, limited range, BT.601
  writer.bits(0b101_0_1, 5);
  [6, 6, 6].forEach((bt601) => writer.bits(bt601, 8));
  writer.bits(0, 1); // no chroma location
  writer.bits(1, 1); // timing in thousandths; a frame lasts two ticks
  writer.bits(1000, 32);
  writer.bits(Math.round(framesPerSecond * 2000), 32);
  writer.bits(1, 1); // fixed rate
  writer.bits(0, 4); // no buffer models, no picture structure, no restrictions
};

const pictureParameters = (): Uint8Array => {
  const writer = bitWriter();
  writer.unsigned(0); // set 0 …
  writer.unsigned(0); // … of sequence set 0
  writer.bits(0, 2); // CAVLC; no field order
  [0, 0, 0].forEach(writer.unsigned); // one slice group, one reference
  writer.bits(0, 3); // no weighted prediction
  [0, 0, 0].forEach(writer.signed); // neutral quantisers
  writer.bits(0b100, 3); // slices say whether they deblock
  return writer.finish();
};

const keyFrame = (frame: MacroblockFrame): Uint8Array => {
  const writer = bitWriter();
  sliceStart(writer, 7, 0);
  writer.unsigned(0); // id of the key frame
  writer.bits(0, 2); // shown, not long-term
  sliceEnd(writer);
  for (const block of frame.blocks) plainBlock(writer, 25, block);
  return writer.finish();
};

const changes = (frame: MacroblockFrame, before: MacroblockFrame, index: number): Uint8Array => {
  const writer = bitWriter();
  sliceStart(writer, 5, index);
  writer.bits(0, 3); // default references, no reordering, no marking
  sliceEnd(writer);
  let skipped = 0;
  frame.blocks.forEach((block, place) => {
    if (Buffer.compare(block, before.blocks[place] ?? empty) === 0) {
      skipped += 1;
      return;
    }
    writer.unsigned(skipped);
    skipped = 0;
    plainBlock(writer, 30, block);
  });
  if (skipped > 0) writer.unsigned(skipped);
  return writer.finish();
};

const empty = new Uint8Array(0);

const sliceStart = (writer: BitWriter, type: number, frameNumber: number): void => {
  writer.unsigned(0); // from the first macroblock
  writer.unsigned(type);
  writer.unsigned(0); // picture set 0
  writer.bits(frameNumber & 15, 4);
};

const sliceEnd = (writer: BitWriter): void => {
  writer.signed(0); // quantiser as in the picture set
  writer.unsigned(1); // no deblocking
};

/** A macroblock as plain samples (I_PCM). */
const plainBlock = (writer: BitWriter, type: number, samples: Uint8Array): void => {
  writer.unsigned(type);
  writer.align();
  writer.bytes(samples);
};

/** A frame cut into macroblocks of 16 × 16 pixels, row by row: 256 bytes luma, then 64 and 64 bytes chroma each. */
interface MacroblockFrame {
  readonly columns: number;
  readonly rows: number;
  readonly blocks: readonly Uint8Array[];
}

/**
 * Turns a picture into macroblocks in YUV 4:2:0 (BT.601, limited range).
 *
 * Where the size is no multiple of 16, the last row and column of pixels go on to the edge of the blocks.
 */
export const macroblocksOf = (picture: Picture): MacroblockFrame => {
  const columns = Math.ceil(picture.width / 16);
  const rows = Math.ceil(picture.height / 16);
  const blocks = Array.from({ length: columns * rows }, (_, index) =>
    blockAt(picture, (index % columns) * 16, Math.floor(index / columns) * 16),
  );
  return { columns, rows, blocks };
};

const blockAt = (picture: Picture, left: number, top: number): Uint8Array => {
  const block = new Uint8Array(384);
  for (let y = 0; y < 16; y += 2) {
    for (let x = 0; x < 16; x += 2) {
      let blue = 0;
      let red = 0;
      for (let corner = 0; corner < 4; corner += 1) {
        const column = x + (corner & 1);
        const row = y + (corner >> 1);
        const [r, g, b] = pixelAt(picture, left + column, top + row);
        block[row * 16 + column] = Math.round(16 + 0.2568 * r + 0.5041 * g + 0.0979 * b);
        blue += 128 - 0.1482 * r - 0.291 * g + 0.4392 * b;
        red += 128 + 0.4392 * r - 0.3678 * g - 0.0714 * b;
      }
      block[256 + (y >> 1) * 8 + (x >> 1)] = Math.round(blue / 4);
      block[320 + (y >> 1) * 8 + (x >> 1)] = Math.round(red / 4);
    }
  }
  return block;
};

const pixelAt = (
  { width, height, rgb }: Picture,
  x: number,
  y: number,
): readonly [number, number, number] => {
  const at = (Math.min(y, height - 1) * width + Math.min(x, width - 1)) * 3;
  return [rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0];
};

/**
 * Wraps a payload as a NAL unit: a header byte, then the payload with an emulation prevention byte wherever it could be
 * taken for a start code.
 */
export const nalUnit = (importance: number, type: number, payload: Uint8Array): Uint8Array => {
  const unit = new Uint8Array(1 + payload.length + Math.ceil(payload.length / 2));
  unit[0] = (importance << 5) | type;
  let length = 1;
  let zeros = 0;
  for (const byte of payload) {
    if (zeros === 2 && byte <= 3) {
      unit[length++] = 3;
      zeros = 0;
    }
    unit[length++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return unit.slice(0, length);
};

import type { Picture } from '../../node-class.js';
import { bitWriter, type BitWriter } from './bit-writer.js';
import { macroblocksOf, type MacroblockFrame } from './macroblocks.js';
import { nalUnit } from './nal-unit.js';

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

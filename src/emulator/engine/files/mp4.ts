import { encodeH264, type H264Video } from './h264.js';
import type { Picture } from '../node-class.js';

/** Part of a box: bytes, or text in Latin-1. */
export type BoxPart = Uint8Array | string;

/** Makes an MP4 box: size, type, then its parts. */
const box = (type: string, ...parts: readonly BoxPart[]): Uint8Array => {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  );
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
};

/** Makes a box with version 0 and the given flags. */
const fullBox = (type: string, flags: number, ...parts: readonly BoxPart[]): Uint8Array =>
  box(type, u32(flags), ...parts);

/** Big-endian 32-bit numbers. */
const u32 = (...values: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value >>> 0, index * 4));
  return bytes;
};

/** Big-endian 16-bit numbers. */
const u16 = (...values: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16BE(value & 0xffff, index * 2));
  return bytes;
};

/** Makes the box that carries named texts (the `mdta` kind of metadata); empty without texts. */
const metadataBox = (text: Readonly<Record<string, string>>): Uint8Array => {
  const entries = Object.entries(text);
  if (entries.length === 0) return new Uint8Array(0);
  return box(
    'meta',
    fullBox('hdlr', 0, u32(0), 'mdta', u32(0, 0, 0), '\0'),
    fullBox('keys', 0, u32(entries.length), ...entries.map(([key]) => box('mdta', Buffer.from(key, 'utf8')))),
    box('ilst', ...entries.map(([, value], place) => item(place + 1, value))),
  );
};

/** One text; its box is named by the number of its key, and the data says that it is UTF-8. */
const item = (key: number, value: string): Uint8Array =>
  box(Buffer.from(u32(key)).toString('latin1'), box('data', u32(1, 0), Buffer.from(value, 'utf8')));

/** The rate of the pictures, and the texts of the file. */
export interface Mp4Options {
  /** Default 8. */
  readonly framesPerSecond?: number;
  /** Texts to embed, by key. */
  readonly text?: Readonly<Record<string, string>>;
}

/**
 * Encodes pictures of one size (even width and height) as a playable MP4 file with one H.264 track.
 *
 * The index comes before the data, so that a player can begin while it loads.
 */
export const encodeMp4 = (
  pictures: readonly Picture[],
  { framesPerSecond = 8, text = {} }: Mp4Options = {},
): Uint8Array => {
  const { width, height } = pictures[0] ?? { width: 16, height: 16 };
  const video = encodeH264(pictures, { framesPerSecond });
  const samples = video.frames.map((frame) => Buffer.concat([u32(frame.length), frame]));
  const type = box('ftyp', 'isom', u32(512), 'isomiso2avc1mp41');
  const film: Film = {
    width,
    height,
    framesPerSecond,
    video,
    sizes: samples.map((sample) => sample.length),
    text,
  };
  // The index names the place of the data, and its own length does not depend on that place.
  const start = type.length + index(film, 0).length + 8;
  return Buffer.concat([type, index(film, start), box('mdat', ...samples)]);
};

interface Film {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  readonly video: H264Video;
  readonly sizes: readonly number[];
  readonly text: Readonly<Record<string, string>>;
}

/** Ticks of the track in one second, for each frame a second. */
const ticksAFrame = 1000;
const unity = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

const index = (film: Film, start: number): Uint8Array => {
  const timescale = Math.round(film.framesPerSecond * ticksAFrame);
  const duration = film.sizes.length * ticksAFrame;
  return box(
    'moov',
    fullBox(
      'mvhd',
      0,
      u32(0, 0, timescale, duration, 0x10000),
      u16(0x100, 0),
      u32(0, 0),
      unity,
      new Uint8Array(24),
      u32(2),
    ),
    box(
      'trak',
      fullBox(
        'tkhd',
        3,
        u32(0, 0, 1, 0, duration, 0, 0),
        u16(0, 0, 0, 0),
        unity,
        u32(film.width << 16, film.height << 16),
      ),
      box(
        'mdia',
        fullBox('mdhd', 0, u32(0, 0, timescale, duration), u16(0x55c4, 0)),
        fullBox('hdlr', 0, u32(0), 'vide', u32(0, 0, 0), 'Video\0'),
        box(
          'minf',
          fullBox('vmhd', 1, u16(0, 0, 0, 0)),
          box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1))),
          sampleTable(film, start),
        ),
      ),
    ),
    metadataBox(film.text),
  );
};

const sampleTable = (film: Film, start: number): Uint8Array =>
  box(
    'stbl',
    fullBox('stsd', 0, u32(1), sampleEntry(film)),
    fullBox('stts', 0, u32(1, film.sizes.length, ticksAFrame)),
    fullBox('stss', 0, u32(1, 1)), // the first sample is the key frame
    fullBox('stsc', 0, u32(1, 1, film.sizes.length, 1)), // all samples are in one chunk
    fullBox('stsz', 0, u32(0, film.sizes.length, ...film.sizes)),
    fullBox('stco', 0, u32(1, start)),
  );

const sampleEntry = ({ width, height, video }: Film): Uint8Array =>
  box(
    'avc1',
    u32(0),
    u16(0, 1),
    new Uint8Array(16),
    u16(width, height),
    u32(0x480000, 0x480000, 0), // 72 dpi
    u16(1),
    new Uint8Array(32), // no compressor name
    u16(24, 0xffff),
    configuration(video),
  );

const configuration = ({ sequenceParameters, pictureParameters }: H264Video): Uint8Array =>
  box(
    'avcC',
    Uint8Array.of(1, ...sequenceParameters.subarray(1, 4), 0xff, 0xe1),
    u16(sequenceParameters.length),
    sequenceParameters,
    Uint8Array.of(1),
    u16(pictureParameters.length),
    pictureParameters,
  );

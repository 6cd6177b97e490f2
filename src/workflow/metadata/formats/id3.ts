import type { ByteReader } from '../byte-reader.js';
import type { Bytes } from '../bytes.js';
import { decodeText, decodeUtf16 } from '../text.js';
import { type Findings, graphName, labelLength, looksLikeOurs } from '../findings.js';

export const id3HeaderLength = 10;

/** What the versions of ID3v2 disagree on. */
interface Version {
  readonly headerLength: number;
  readonly texts: string;
  readonly comments: string;
  readonly sizeOf: (header: Bytes) => number;
}

const versions: ReadonlyMap<number, Version> = new Map([
  [2, { headerLength: 6, texts: 'TXX', comments: 'COM', sizeOf: (header) => header.uint(3, 3) }],
  [3, { headerLength: 10, texts: 'TXXX', comments: 'COMM', sizeOf: (header) => header.u32(4) }],
  // Some writers use the plain sizes of version 3.
  [
    4,
    {
      headerLength: 10,
      texts: 'TXXX',
      comments: 'COMM',
      sizeOf: (header) => syncSafe(header, 4) ?? header.u32(4),
    },
  ],
]);

/** Reads the texts of an ID3v2 tag at `at`, by their descriptions, and the comments; the end of the tag. */
export const readId3 = async (reader: ByteReader, findings: Findings, at: number): Promise<number> => {
  const header = await reader.header(at, id3HeaderLength);
  const version = versions.get(header.u8(3));
  const flags = header.u8(5);
  const end = at + id3HeaderLength + (syncSafe(header, 6) ?? 0);
  if (version === undefined) return end;
  const extended =
    (flags & 0x40) === 0 ? 0 : await extendedLength(reader, at + id3HeaderLength, header.u8(3));

  let frameAt = at + id3HeaderLength + extended;
  while (frameAt + version.headerLength < end && !findings.isComplete()) {
    const frame = await reader.header(frameAt, version.headerLength);
    const id = frame.latin1(0, version.texts.length);
    const start = frameAt + version.headerLength;
    // The rest is padding.
    if (!/^[A-Z0-9]+$/u.test(id)) break;
    frameAt = start + version.sizeOf(frame);
    if (id !== version.texts && id !== version.comments) continue;
    const language = id === version.comments ? 3 : 0;
    await readText(reader, findings, {
      start,
      end: frameAt,
      language,
      isUnsynchronised: (flags & 0x80) !== 0,
    });
  }
  return end;
};

interface TextFrame {
  readonly start: number;
  readonly end: number;
  readonly language: number;
  readonly isUnsynchronised: boolean;
}

/** The encoding, a language in comments, the description, and after its zero the text. */
const readText = async (reader: ByteReader, findings: Findings, frame: TextFrame): Promise<void> => {
  const { start, end, language, isUnsynchronised } = frame;
  const split = (bytes: Uint8Array): readonly string[] => {
    const raw = isUnsynchronised ? synchronised(bytes) : bytes;
    return splitText(raw.subarray(1 + language), raw[0] ?? 0);
  };
  const head = await reader.peek(start, Math.min(end - start, headLength));
  const [name = '', begin = ''] = split(head.raw);
  if (graphName(name) === undefined && !looksLikeOurs(new TextEncoder().encode(begin))) return;
  const [, text = ''] = split((await reader.payload(start, end - start)).raw);
  findings.offer(name, text);
};

/** A description of our length and the beginning of the text, at two bytes a character. */
const headLength = 8 + 4 * labelLength + 2 * 'com.apple.comment'.length;

/** A description and a text in one of the four encodings of ID3. */
const splitText = (bytes: Uint8Array, encoding: number): readonly string[] => {
  const isWide = encoding === 1 || encoding === 2;
  const zero = isWide ? wideZero(bytes) : bytes.indexOf(0);
  if (zero === -1) return [];
  const parts = [bytes.subarray(0, zero), bytes.subarray(zero + (isWide ? 2 : 1))];
  const decode = isWide ? decodeUtf16 : decodeText;
  return parts.map(decode);
};

const wideZero = (bytes: Uint8Array): number => {
  for (let at = 0; at + 1 < bytes.length; at += 2) if (bytes[at] === 0 && bytes[at + 1] === 0) return at;
  return -1;
};

/** Without the zero that unsynchronisation puts after each 0xFF. */
const synchronised = (bytes: Uint8Array): Uint8Array =>
  bytes.filter((byte, index) => byte !== 0 || bytes[index - 1] !== 0xff);

/** An integer of four bytes with seven bits each; undefined where a byte has eight. */
const syncSafe = (bytes: Bytes, at: number): number | undefined => {
  const value = bytes.u32(at);
  if ((value & 0x80808080) !== 0) return undefined;
  return bytes.u8(at) * 2 ** 21 + bytes.u8(at + 1) * 2 ** 14 + bytes.u8(at + 2) * 2 ** 7 + bytes.u8(at + 3);
};

/** The extended header; the size of version 3 does not count itself. */
const extendedLength = async (reader: ByteReader, at: number, version: number): Promise<number> => {
  const size = await reader.peek(at, 4);
  return version === 4 ? (syncSafe(size, 0) ?? 0) : 4 + size.u32(0);
};

import { type ByteReader, readerOf } from '../byte-reader.js';
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

const oldest: Version = {
  headerLength: 6,
  texts: 'TXX',
  comments: 'COM',
  sizeOf: (header) => header.uint(3, 3),
};
const common: Version = {
  headerLength: 10,
  texts: 'TXXX',
  comments: 'COMM',
  sizeOf: (header) => header.u32(4),
};
const newest: Version = {
  headerLength: 10,
  texts: 'TXXX',
  comments: 'COMM',
  // Some writers use the plain sizes of version 3.
  sizeOf: (header) => syncSafe(header, 4) ?? header.u32(4),
};

const versions: ReadonlyMap<number, Version> = /* @__PURE__ */ new Map([
  [2, oldest],
  [3, common],
  [4, newest],
]);

/** Reads the texts of an ID3v2 tag at `at`, by their descriptions, and the comments; the end of the tag. */
export const readId3 = async (reader: ByteReader, findings: Findings, at: number): Promise<number> => {
  const header = await reader.header(at, id3HeaderLength);
  const version = versions.get(header.u8(3));
  const flags = header.u8(5);
  const start = at + id3HeaderLength;
  const end = start + (syncSafe(header, 6) ?? 0);
  if (version === undefined) return end;
  const hasExtension = (flags & 0x40) !== 0;
  // Before version 4 the whole tag is unsynchronised, and its sizes are those of before.
  if ((flags & 0x80) !== 0 && version !== newest) {
    const bytes = synchronised((await reader.payload(start, end - start)).raw);
    await readFrames(readerOf(bytes), findings, version, { start: 0, end: bytes.length, hasExtension });
  } else await readFrames(reader, findings, version, { start, end, hasExtension });
  return end;
};

interface Body {
  readonly start: number;
  readonly end: number;
  readonly hasExtension: boolean;
}

const readFrames = async (
  reader: ByteReader,
  findings: Findings,
  version: Version,
  { start, end, hasExtension }: Body,
): Promise<void> => {
  for (let at = start + (hasExtension ? await extensionLength(reader, start, version) : 0); ;) {
    if (at + version.headerLength >= end || findings.isComplete()) return;
    const frame = await reader.header(at, version.headerLength);
    const id = frame.latin1(0, version.texts.length);
    const content = at + version.headerLength;
    // The rest is padding.
    if (!/^[A-Z0-9]+$/u.test(id)) return;
    at = content + version.sizeOf(frame);
    if (id !== version.texts && id !== version.comments) continue;
    const flags = version === newest ? frame.u8(9) : 0;
    const place = {
      start: content + ((flags & 1) === 0 ? 0 : lengthIndicator),
      end: at,
      language: id === version.comments ? 3 : 0,
      isUnsynchronised: (flags & 2) !== 0,
    };
    await readText(reader, findings, place);
  }
};

/** Before the content of a frame of version 4, where a flag says so. */
const lengthIndicator = 4;

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
  // A description of our length and the beginning of the text, at two bytes a character.
  const headLength = 8 + 4 * labelLength + 2 * 'com.apple.comment'.length;
  const head = await reader.peek(start, Math.min(Math.max(end - start, 0), headLength));
  const [name = '', begin = ''] = split(head.raw);
  if (graphName(name) === undefined && !looksLikeOurs(new TextEncoder().encode(begin))) return;
  const [, text = ''] = split((await reader.payload(start, end - start)).raw);
  findings.offer(name, text);
};

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

/** An integer of four bytes with seven bits each; undefined if a byte has eight. */
const syncSafe = (bytes: Bytes, at: number): number | undefined => {
  const value = bytes.u32(at);
  if ((value & 0x80808080) !== 0) return undefined;
  return bytes.u8(at) * 2 ** 21 + bytes.u8(at + 1) * 2 ** 14 + bytes.u8(at + 2) * 2 ** 7 + bytes.u8(at + 3);
};

/** The length of the extended header; the size of version 3 does not count itself. */
const extensionLength = async (reader: ByteReader, at: number, version: Version): Promise<number> => {
  const size = await reader.peek(at, 4);
  return version === newest ? (syncSafe(size, 0) ?? 0) : 4 + size.u32(0);
};

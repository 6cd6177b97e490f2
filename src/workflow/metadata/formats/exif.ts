import type { ByteReader } from '../byte-reader.js';
import type { Bytes } from '../bytes.js';
import { decodeText, decodeUtf16 } from '../text.js';
import { type Findings, labelLength, looksLikeOurs, offerAt } from '../findings.js';
import { malformed } from '../stop-reading.js';

const exifPrefix = 'Exif\0\0';
const entryLength = 12;
const ascii = 2;
const exifDirectory = 0x8769;
const userComment = 0x9286;
/** The name of the character set before the text of a comment. */
const charsetLength = 8;

/** Where the directories are; offsets count from `start`. */
interface Tiff {
  readonly start: number;
  readonly end: number;
  readonly littleEndian: boolean;
}

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** In the TIFF. */
  readonly offset: number;
}

/**
 * Reads EXIF data from `start` to `end`: texts of the first directory that begin with `prompt:` or `workflow:`, and a
 * comment that holds both.
 */
export const readExif = async (
  reader: ByteReader,
  findings: Findings,
  [from, end]: readonly [start: number, end: number],
): Promise<void> => {
  const prefix = await reader.peek(from, exifPrefix.length);
  const start = prefix.latin1(0, exifPrefix.length) === exifPrefix ? from + exifPrefix.length : from;
  const header = await reader.header(start, 8);
  const order = header.latin1(0, 2);
  if (order !== 'II' && order !== 'MM') throw malformed('The EXIF data name no byte order');
  const tiff = { start, end, littleEndian: order === 'II' };

  const first = await readDirectory(reader, tiff, header.u32(4, tiff.littleEndian));
  const nested = first.find(({ tag }) => tag === exifDirectory);
  const second = nested === undefined ? [] : await readDirectory(reader, tiff, nested.offset);
  for (const entry of [...first, ...second]) {
    if (findings.isComplete()) return;
    const place = [start + entry.offset, Math.min(start + entry.offset + entry.count, end)] as const;
    if (entry.tag === userComment) await readComment(reader, findings, place);
    else if (entry.type === ascii && entry.count > 4) await offerAt(reader, findings, '', place);
  }
};

const readDirectory = async (
  reader: ByteReader,
  { start, end, littleEndian }: Tiff,
  offset: number,
): Promise<readonly Entry[]> => {
  const entries: Entry[] = [];
  const first = start + offset + 2;
  const count = (await reader.header(first - 2, 2)).u16(0, littleEndian);
  for (let at = first; at < Math.min(first + count * entryLength, end); at += entryLength)
    entries.push(entryOf(await reader.header(at, entryLength), littleEndian));
  return entries;
};

const entryOf = (bytes: Bytes, littleEndian: boolean): Entry => ({
  tag: bytes.u16(0, littleEndian),
  type: bytes.u16(2, littleEndian),
  count: bytes.u32(4, littleEndian),
  offset: bytes.u32(8, littleEndian),
});

const readComment = async (
  reader: ByteReader,
  findings: Findings,
  [start, end]: readonly [start: number, end: number],
): Promise<void> => {
  const head = await reader.peek(start, charsetLength + 2 * labelLength);
  const decode = head.latin1(0, 7) === 'UNICODE' ? decodeUtf16 : decodeText;
  const text = head.raw.subarray(charsetLength);
  if (!looksLikeOurs(new TextEncoder().encode(decode(text)))) return;
  const { raw } = await reader.payload(start + charsetLength, end - start - charsetLength);
  findings.offer('', decode(raw));
};

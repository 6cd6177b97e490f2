import type { ByteReader } from '../byte-reader.js';
import { type Findings, graphName, offerAt } from '../findings.js';
import { id3HeaderLength, readId3 } from './id3.js';
import { malformed, truncated } from '../stop-reading.js';

const commentBlock = 4;

/** Reads the ID3 tag of an MP3, or of a FLAC that has one before its blocks. */
export const readMp3 = async (reader: ByteReader, findings: Findings): Promise<void> => {
  if ((await reader.peek(0, 3)).latin1(0, 3) !== 'ID3') return;
  const end = await readId3(reader, findings, 0);
  if (findings.isComplete()) return;
  if (end + id3HeaderLength > reader.size) throw truncated();
  if ((await reader.peek(end, 4)).latin1(0, 4) === 'fLaC') await readFlac(reader, findings, end);
};

/** Reads the comment blocks of a FLAC that begins at `from`. */
export const readFlac = async (reader: ByteReader, findings: Findings, from = 0): Promise<void> => {
  let at = from + 4;
  let isLast = false;
  while (!isLast && !findings.isComplete()) {
    const header = await reader.header(at, 4);
    const start = at + 4;
    at = start + header.uint(1, 3);
    isLast = (header.u8(0) & 0x80) !== 0;
    if ((header.u8(0) & 0x7f) === commentBlock) await readComments(reader, findings, [start, at]);
    if (at > reader.size && !findings.isComplete()) throw truncated();
  }
};

/** Long enough for the names of ours and for `description=`. */
const longestName = 16;

/** Reads Vorbis comments, `NAME=text`, of FLAC and Ogg. */
export const readComments = async (
  reader: ByteReader,
  findings: Findings,
  [start, end]: readonly [start: number, end: number],
): Promise<void> => {
  const vendor = (await reader.header(start, 4)).u32(0, true);
  const first = start + 4 + vendor;
  if (first + 4 > end) throw malformed('The comments end before they begin');
  let left = (await reader.header(first, 4)).u32(0, true);
  for (let at = first + 4; left > 0 && at + 4 <= end && !findings.isComplete(); left -= 1) {
    const entry = at + 4;
    at = entry + (await reader.header(at, 4)).u32(0, true);
    const name = (await reader.peek(entry, longestName)).latin1(0, longestName);
    const equals = name.indexOf('=');
    if (equals === -1) continue;
    const key = name.slice(0, equals);
    if (at > end && graphName(key) !== undefined) throw truncated();
    await offerAt(reader, findings, key, [entry + equals + 1, Math.min(at, end)]);
  }
};

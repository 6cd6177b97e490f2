import { type Box, boxesIn, findBox } from './boxes.js';
import type { ByteReader } from '../byte-reader.js';
import { type Findings, offerAt } from '../findings.js';
import { malformed } from '../stop-reading.js';
import { readItems } from './heif.js';

/** Reads the tags of an MP4 or MOV, wherever its `moov` is, and the EXIF item of an AVIF or HEIC. */
export const readIsoMedia = async (reader: ByteReader, findings: Findings): Promise<void> => {
  for await (const box of boxesIn(reader, 0, reader.size)) {
    if (box.type === 'moov') await readMovie(reader, findings, box);
    else if (box.type === 'meta') await readItems(reader, findings, box);
    if (findings.isComplete()) return;
  }
};

const readMovie = async (reader: ByteReader, findings: Findings, movie: Box): Promise<void> => {
  for await (const box of boxesIn(reader, movie.start, movie.end)) {
    if (box.type === 'meta') await readTags(reader, findings, box);
    else if (box.type === 'udta') await readUserData(reader, findings, box);
    if (findings.isComplete()) return;
  }
};

const readUserData = async (reader: ByteReader, findings: Findings, userData: Box): Promise<void> => {
  for await (const box of boxesIn(reader, userData.start, userData.end)) {
    if (box.type === 'meta') await readTags(reader, findings, box);
    // A comment of QuickTime: a length and a language before the text.
    else if (box.type === commentType) await offerAt(reader, findings, '', [box.start + 4, box.end]);
    if (findings.isComplete()) return;
  }
};

const commentType = '\u00a9cmt';

/** Reads `keys` and `ilst`: names, and items that refer to them by their number from 1. */
const readTags = async (reader: ByteReader, findings: Findings, box: Box): Promise<void> => {
  // In MP4 four bytes of version come first, in QuickTime they don't.
  const hasVersion = (await reader.peek(box.start + 4, 4)).latin1(0, 4) !== 'hdlr';
  const children = { start: box.start + (hasVersion ? 4 : 0), end: box.end };
  const keys = await findBox(reader, children, 'keys');
  const names = keys === undefined ? [] : await readNames(reader, keys);
  const list = await findBox(reader, children, 'ilst');
  if (list === undefined) return;
  for await (const item of boxesIn(reader, list.start, list.end)) {
    if (item.type === '----') await readFreeItem(reader, findings, item);
    else if (item.type === commentType || names[item.code - 1] !== undefined)
      await readItem(reader, findings, names[item.code - 1] ?? '', item);
    if (findings.isComplete()) return;
  }
};

const readNames = async (reader: ByteReader, { start, end }: Box): Promise<readonly string[]> => {
  const names: string[] = [];
  for (let at = start + 8; at + 8 <= end;) {
    const header = await reader.header(at, 8);
    const size = header.u32(0);
    if (size < 8) throw malformed('A name of a tag is shorter than its header');
    names.push((await reader.peek(at + 8, Math.min(size - 8, longestName))).latin1(0, longestName));
    at += size;
  }
  return names;
};

const longestName = 'workflow'.length + 1;

/** Type and locale come before the text. */
const dataHeaderLength = 8;

const readItem = async (reader: ByteReader, findings: Findings, name: string, item: Box): Promise<void> => {
  const data = await findBox(reader, item, 'data');
  if (data !== undefined) await offerAt(reader, findings, name, [data.start + dataHeaderLength, data.end]);
};

/** An item of iTunes, which has its name in a box beside the data. */
const readFreeItem = async (reader: ByteReader, findings: Findings, item: Box): Promise<void> => {
  const box = await findBox(reader, item, 'name');
  if (box === undefined) return;
  const length = Math.min(box.end - box.start - 4, longestName);
  await readItem(reader, findings, (await reader.peek(box.start + 4, length)).latin1(0, longestName), item);
};

import type { ByteReader } from '../byte-reader.js';
import { decodeText } from '../text.js';
import { type Findings, graphName } from '../findings.js';
import { malformed, truncated } from '../stop-reading.js';
import { readExif } from './exif.js';

const signatureLength = 8;
const headerLength = 8;
const crcLength = 4;

/** A keyword of ours and the zero after it. */
const keywordLength = 'workflow'.length + 1;

/** The chunk types that hold a keyword and a text; `comf` is that of an animated picture, after its frames. */
const textTypes = new Set(['tEXt', 'zTXt', 'iTXt', 'comf']);

/**
 * Reads the text chunks of a PNG, before its pixels, after them and after its end, where some programs append them, and its `eXIf`;
 * checksums are not compared. What follows the end and is no chunk is not looked at.
 */
export const readPng = async (reader: ByteReader, findings: Findings): Promise<void> => {
  let hasEnded = false;
  for (let at = signatureLength; at < reader.size && !findings.isComplete();) {
    if (hasEnded && at + headerLength > reader.size) return;
    const header = await reader.header(at, headerLength);
    const length = header.u32(0);
    const type = header.latin1(4, 8);
    const start = at + headerLength;
    const isChunk = /^[A-Za-z]{4}$/u.test(type);
    if (hasEnded && (!isChunk || start + length > reader.size)) return;
    if (!isChunk) throw malformed('A chunk of the PNG has no type');
    hasEnded ||= type === 'IEND';
    if (textTypes.has(type)) await readTextChunk(reader, findings, type, start, length);
    else if (type === 'eXIf') await readExif(reader, findings, [start, start + length]);
    at = start + length + crcLength;
    if (at > reader.size && !hasEnded && !findings.isComplete()) throw truncated();
  }
};

const readTextChunk = async (
  reader: ByteReader,
  findings: Findings,
  type: string,
  start: number,
  length: number,
): Promise<void> => {
  const head = (await reader.peek(start, Math.min(keywordLength, length))).raw;
  const end = head.indexOf(0);
  const keyword = decodeText(head.subarray(0, Math.max(end, 0)));
  if (graphName(keyword) === undefined) return;
  const data = (await reader.payload(start, length)).raw.subarray(end + 1);
  findings.offer(keyword, decodeText(await textOf(type, data, findings)));
};

/** The text after the keyword. */
const textOf = async (type: string, data: Uint8Array, { inflate }: Findings): Promise<Uint8Array> => {
  // The compression method comes first, and only 0, zlib, exists.
  if (type === 'zTXt') return inflate(data.subarray(1));
  if (type !== 'iTXt') return data;
  const language = data.indexOf(0, 2);
  const translated = language === -1 ? -1 : data.indexOf(0, language + 1);
  if (translated === -1) throw malformed('A text of the PNG has no end of its keyword');
  const text = data.subarray(translated + 1);
  return data[0] === 1 ? inflate(text) : text;
};

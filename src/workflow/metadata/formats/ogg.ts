import { type ByteReader, readerOf } from '../byte-reader.js';
import type { Findings } from '../findings.js';
import { joinBytes } from '../bytes.js';
import { malformed, truncated } from '../stop-reading.js';
import { readComments } from './audio.js';

const pageHeaderLength = 27;
/** A segment of this length goes on in the next one. */
const fullSegment = 255;

/** What stands before the comments in the second packet of a stream. */
const prefixes: readonly (readonly [prefix: string, length: number])[] = [
  ['OpusTags', 8],
  ['\u0003vorbis', 7],
  ['\u0081theora', 7],
];
/** The type of a FLAC block of comments, without the mark of the last block. */
const flacComments = 4;
const flacHeaderLength = 4;

/** Reads the comments of the first stream of an Ogg file (Opus, Vorbis, FLAC, Theora, Speex): its second packet. */
export const readOgg = async (reader: ByteReader, findings: Findings): Promise<void> => {
  const packet = await secondPacket(reader);
  const inner = readerOf(packet);
  const start = startOf((await inner.peek(0, 8)).latin1(0, 8), packet);
  await readComments(inner, findings, [start, packet.length]);
};

/** Where the comments of a packet begin: at once (Speex), after a name, or after the header of a FLAC block, which tells its length. */
const startOf = (head: string, packet: Uint8Array): number => {
  const [type = 0, ...length] = packet.subarray(0, flacHeaderLength);
  const isBlock =
    (type & 0x7f) === flacComments &&
    length.reduce((sum, byte) => sum * 256 + byte, 0) === packet.length - flacHeaderLength;
  if (isBlock) return flacHeaderLength;
  const [, skipped] = prefixes.find(([prefix]) => head.startsWith(prefix)) ?? ['', 0];
  return skipped;
};

const secondPacket = async (reader: ByteReader): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = [];
  let serial: number | undefined;
  let ended = 0;
  for (let at = 0; at < reader.size;) {
    const header = await reader.header(at, pageHeaderLength);
    if (header.latin1(0, 4) !== 'OggS') throw malformed('The Ogg file has something between its pages');
    const count = header.u8(26);
    const segments = await reader.peek(at + pageHeaderLength, count);
    const body = at + pageHeaderLength + count;
    at = body + segments.raw.reduce((sum, length) => sum + length, 0);
    serial ??= header.u32(14, true);
    if (header.u32(14, true) !== serial) continue;

    let start = body;
    let end = body;
    for (const length of segments.raw) {
      end += length;
      if (length === fullSegment) continue;
      ended += 1;
      if (ended === 2) return joinBytes([...pieces, (await reader.payload(start, end - start)).raw]);
      start = end;
    }
    if (ended === 1) pieces.push((await reader.payload(start, end - start)).raw);
  }
  throw truncated();
};

import type { ByteReader } from '../byte-reader.js';
import { type Findings, offerAt } from '../findings.js';
import { readExif } from './exif.js';
import { readId3 } from './id3.js';
import { truncated } from '../stop-reading.js';

const headerLength = 8;
const formLength = 12;

interface Chunk {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Reads the `EXIF` of a WebP. */
export const readWebp = async (reader: ByteReader, findings: Findings): Promise<void> => {
  for await (const { type, start, end } of chunks(reader, formLength, reader.size)) {
    if (type === 'EXIF') await readExif(reader, findings, [start, end]);
    if (findings.isComplete()) return;
  }
};

/** Reads the texts of a WAV: its `INFO` list, and ID3 frames in a chunk of their own. */
export const readWav = async (reader: ByteReader, findings: Findings): Promise<void> => {
  for await (const { type, start, end } of chunks(reader, formLength, reader.size)) {
    if (type.toLowerCase() === 'id3 ') await readId3(reader, findings, start);
    else if (type === 'LIST' && (await reader.peek(start, 4)).latin1(0, 4) === 'INFO')
      for await (const info of chunks(reader, start + 4, end))
        await offerAt(reader, findings, '', [info.start, info.end]);
    if (findings.isComplete()) return;
  }
};

/** The chunks from `at` to `limit`; one that ends beyond it is the last, and afterwards the file counts as truncated. */
async function* chunks(reader: ByteReader, from: number, limit: number): AsyncGenerator<Chunk, void> {
  for (let at = from; at + headerLength <= limit;) {
    const header = await reader.header(at, headerLength);
    const start = at + headerLength;
    const end = start + header.u32(4, true);
    yield { type: header.latin1(0, 4), start, end: Math.min(end, limit) };
    if (end > limit) throw truncated();
    at = end + (end % 2);
  }
}

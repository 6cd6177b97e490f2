import type { ByteReader } from '../byte-reader.js';
import { type Findings, offerAt } from '../findings.js';
import { malformed, truncated } from '../stop-reading.js';
import { readExif } from './exif.js';

const headerLength = 4;
const startOfScan = 0xda;
const endOfImage = 0xd9;
const comment = 0xfe;
const app1 = 0xe1;
const exifName = 'Exif\0\0';

/** Reads the EXIF data and the comments of a JPEG, which come before its first scan. */
export const readJpeg = async (reader: ByteReader, findings: Findings): Promise<void> => {
  for (let at = 2; !findings.isComplete();) {
    const header = await reader.header(at, headerLength);
    const marker = header.u8(1);
    if (header.u8(0) !== 0xff) throw malformed('The JPEG has something between its segments');
    if (marker === startOfScan || marker === endOfImage) return;
    if (standsAlone(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const start = at + headerLength;
    at += 2 + header.u16(2);
    if (marker === comment) await offerAt(reader, findings, '', [start, Math.max(start, at)]);
    else if (marker === app1 && (await reader.peek(start, 6)).latin1(0, 6) === exifName)
      await readExif(reader, findings, [start, at]);
    if (at > reader.size && !findings.isComplete()) throw truncated();
  }
};

/** A marker without a length, or the filling before one. */
const standsAlone = (marker: number): boolean =>
  marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

import { type Box, findBox } from './boxes.js';
import { type ByteReader, readerOf } from '../byte-reader.js';
import type { Bytes } from '../bytes.js';
import type { Findings } from '../findings.js';
import { joinBytes } from '../bytes.js';
import { readExif } from './exif.js';

/** The bytes of an item: where each piece of it begins, and how long it is. */
type Extents = readonly (readonly [start: number, length: number])[];

/** Reads the EXIF item of an AVIF or HEIC: its number in `iinf`, its place in `iloc`. */
export const readItems = async (reader: ByteReader, findings: Findings, meta: Box): Promise<void> => {
  const children = { start: meta.start + 4, end: meta.end };
  const infos = await findBox(reader, children, 'iinf');
  const places = await findBox(reader, children, 'iloc');
  if (infos === undefined || places === undefined) return;
  const id = await exifItem(reader, infos);
  if (id === undefined) return;
  const data = await findBox(reader, children, 'idat');
  const extents = extentsOf(await content(reader, places), id, data?.start ?? 0);
  const [first] = extents;
  if (first === undefined) return;
  if (extents.length === 1) return readExifItem(reader, findings, first);
  const pieces: Uint8Array[] = [];
  for (const [start, length] of extents) pieces.push((await reader.payload(start, length)).raw);
  const whole = joinBytes(pieces);
  await readExifItem(readerOf(whole), findings, [0, whole.length]);
};

const content = (reader: ByteReader, { start, end }: Box): Promise<Bytes> =>
  reader.payload(start, end - start);

/** The item begins with how far its TIFF header is. */
const readExifItem = async (
  reader: ByteReader,
  findings: Findings,
  [start, length]: readonly [start: number, length: number],
): Promise<void> => {
  const skipped = (await reader.peek(start, 4)).u32(0);
  await readExif(reader, findings, [start + 4 + skipped, start + length]);
};

const exifItem = async (reader: ByteReader, infos: Box): Promise<number | undefined> => {
  const bytes = await content(reader, infos);
  for (let at = bytes.u8(0) === 0 ? 6 : 8; at + 20 <= bytes.length;) {
    const isWide = bytes.u8(at + 8) === 3;
    if (bytes.latin1(at + (isWide ? 18 : 16), at + (isWide ? 22 : 20)) === 'Exif')
      return isWide ? bytes.u32(at + 12) : bytes.u16(at + 12);
    at += Math.max(bytes.u32(at), 8);
  }
  return undefined;
};

/** Reads `iloc`, whose numbers have the widths that it says itself. */
const extentsOf = (bytes: Bytes, wanted: number, dataStart: number): Extents => {
  const version = bytes.u8(0);
  const offsetWidth = bytes.u8(4) >> 4;
  const lengthWidth = bytes.u8(4) & 15;
  const baseWidth = bytes.u8(5) >> 4;
  const indexWidth = version === 0 ? 0 : bytes.u8(5) & 15;
  const idWidth = version < 2 ? 2 : 4;
  let at = 6;
  const next = (width: number): number => {
    at += width;
    return bytes.uint(at - width, width);
  };

  for (let items = next(idWidth); items > 0; items -= 1) {
    const id = next(idWidth);
    const method = version === 0 ? 0 : next(2) & 15;
    next(2);
    const base = next(baseWidth) + (method === 1 ? dataStart : 0);
    const extents: (readonly [number, number])[] = [];
    for (let count = next(2); count > 0; count -= 1) {
      next(indexWidth);
      extents.push([base + next(offsetWidth), next(lengthWidth)]);
    }
    if (id === wanted) return method > 1 ? [] : extents;
  }
  return [];
};

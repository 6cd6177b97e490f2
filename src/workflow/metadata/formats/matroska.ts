import type { ByteReader } from '../byte-reader.js';
import { type Findings, offerAt } from '../findings.js';
import { malformed, truncated } from '../stop-reading.js';

const ids = {
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  tags: 0x1254c367,
  tag: 0x7373,
  simpleTag: 0x67c8,
  tagName: 0x45a3,
  tagString: 0x4487,
} as const;

interface Element {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/** An id of at most four bytes, and a size of at most eight. */
const maxHeaderLength = 12;

/** Reads the tags of a WebM or Matroska file, found by its index where it has one. */
export const readMatroska = async (reader: ByteReader, findings: Findings): Promise<void> => {
  for await (const element of elementsIn(reader, 0, reader.size))
    if (element.id === ids.segment) return readSegment(reader, findings, element);
};

const readSegment = async (reader: ByteReader, findings: Findings, segment: Element): Promise<void> => {
  for await (const element of elementsIn(reader, segment.start, segment.end)) {
    if (element.id === ids.tags) await readTags(reader, findings, element);
    if (findings.isComplete()) return;
    if (element.id !== ids.seekHead) continue;
    const places = await tagPlaces(reader, element);
    for (const place of places)
      for await (const found of elementsIn(reader, segment.start + place, segment.end)) {
        if (found.id === ids.tags) await readTags(reader, findings, found);
        break;
      }
    // The pictures and sounds of a long video are not walked through for tags that the index does not name.
    if (places.length > 0) return;
  }
};

/** Where the index of the segment says that tags are. */
const tagPlaces = async (reader: ByteReader, index: Element): Promise<readonly number[]> => {
  const places: number[] = [];
  for await (const seek of elementsIn(reader, index.start, index.end)) {
    if (seek.id !== ids.seek) continue;
    let target = 0;
    let place = 0;
    for await (const { id, start, end } of elementsIn(reader, seek.start, seek.end)) {
      if (id !== ids.seekId && id !== ids.seekPosition) continue;
      const length = Math.min(end - start, 8);
      const value = (await reader.peek(start, length)).uint(0, length);
      if (id === ids.seekId) target = value;
      else place = value;
    }
    if (target === ids.tags) places.push(place);
  }
  return places;
};

const readTags = async (reader: ByteReader, findings: Findings, tags: Element): Promise<void> => {
  for await (const tag of elementsIn(reader, tags.start, tags.end)) {
    if (tag.id !== ids.tag) continue;
    for await (const simple of elementsIn(reader, tag.start, tag.end)) {
      if (simple.id === ids.simpleTag) await readSimpleTag(reader, findings, simple);
      if (findings.isComplete()) return;
    }
  }
};

const longestName = 'WORKFLOW'.length + 1;

const readSimpleTag = async (reader: ByteReader, findings: Findings, simple: Element): Promise<void> => {
  let name = '';
  let text: readonly [number, number] | undefined;
  for await (const { id, start, end } of elementsIn(reader, simple.start, simple.end)) {
    if (id === ids.tagName)
      name = (await reader.peek(start, Math.min(end - start, longestName))).latin1(0, longestName);
    else if (id === ids.tagString) text = [start, end];
  }
  if (text !== undefined) await offerAt(reader, findings, name, text);
};

/**
 * The elements from `from` to `limit`; one that ends beyond it is the last, and afterwards the file counts as truncated.
 *
 * An element without a size, which a live stream has, gives its children in its place.
 */
async function* elementsIn(reader: ByteReader, from: number, limit: number): AsyncGenerator<Element, void> {
  for (let at = from; at < limit;) {
    const header = await reader.header(at, Math.min(maxHeaderLength, limit - at));
    const idLength = vintLength(header.u8(0));
    if (idLength > 4) throw malformed('An element has no valid id');
    const first = header.u8(idLength);
    const sizeLength = vintLength(first);
    if (sizeLength > 8) throw malformed('An element has no valid size');
    const id = header.uint(0, idLength);
    const start = at + idLength + sizeLength;
    // The size without the bit that marks its length; all bits set mean that it is not known.
    const most = 2 ** (7 * sizeLength) - 1;
    const high = first & (0x7f >> (sizeLength - 1));
    const size = high * 2 ** (8 * (sizeLength - 1)) + header.uint(idLength + 1, sizeLength - 1);
    const isUnknown = size >= most;
    const end = isUnknown ? limit : start + size;
    yield { id, start, end: Math.min(end, limit) };
    if (end > limit) throw truncated();
    at = isUnknown ? start : end;
  }
}

/** How many bytes a number has, by the zeros before the first set bit. */
const vintLength = (first: number): number => Math.clz32(first) - 23;

import type { ByteReader } from '../byte-reader.js';
import { decodeText } from '../text.js';
import type { Findings } from '../findings.js';
import { joinBytes } from '../bytes.js';
import { truncated } from '../stop-reading.js';

/** How far the element may be from the beginning of the file, and how much of it is read at a time. */
const step = 16_384;
const closing = '</metadata>';

/** Reads the `<metadata>` of an SVG, which stands at its beginning: one JSON object, as CDATA or escaped. */
export const readSvg = async (reader: ByteReader, findings: Findings): Promise<void> => {
  // A character a byte, so that places in the text are places in the file.
  const head = (await reader.peek(0, step)).latin1(0, step);
  const opening = /<metadata(?:\s[^<>]*)?>/u.exec(head);
  if (opening === null) return;
  const content = await readToEnd(reader, opening.index + opening[0].length);
  findings.offer('', unescaped(decodeText(content)));
};

const readToEnd = async (reader: ByteReader, start: number): Promise<Uint8Array> => {
  const parts: Uint8Array[] = [];
  let tail = '';
  for (let at = start; at < reader.size; at += step) {
    const part = await reader.payload(at, Math.min(step, reader.size - at));
    const text = tail + part.latin1(0, step);
    parts.push(part.raw);
    if (text.includes(closing)) {
      const all = joinBytes(parts);
      // A character a byte, and of any length.
      return all.subarray(0, new TextDecoder('latin1').decode(all).indexOf(closing));
    }
    tail = text.slice(-closing.length);
  }
  throw truncated();
};

/** A CDATA section ends at `]]>`; one that holds these characters is split into two. */
const unescaped = (text: string): string =>
  text.includes(cdata)
    ? text
        .split(cdata)
        .map((part) => part.replace(/\]\]>\s*$/u, ''))
        .join('')
    : text.replace(/&(lt|gt|quot|apos|amp);/gu, (_, name: keyof typeof entities) => entities[name]);

const cdata = '<![CDATA[';

const entities = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' } as const;

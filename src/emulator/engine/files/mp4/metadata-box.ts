import { box, fullBox, u32 } from './box.js';

/** Makes the box that carries named texts (the `mdta` kind of metadata); empty without texts. */
export const metadataBox = (text: Readonly<Record<string, string>>): Uint8Array => {
  const entries = Object.entries(text);
  if (entries.length === 0) return new Uint8Array(0);
  return box(
    'meta',
    fullBox('hdlr', 0, u32(0), 'mdta', u32(0, 0, 0), '\0'),
    fullBox('keys', 0, u32(entries.length), ...entries.map(([key]) => box('mdta', Buffer.from(key, 'utf8')))),
    box('ilst', ...entries.map(([, value], place) => item(place + 1, value))),
  );
};

/** One text; its box is named by the number of its key, and the data says that it is UTF-8. */
const item = (key: number, value: string): Uint8Array =>
  box(Buffer.from(u32(key)).toString('latin1'), box('data', u32(1, 0), Buffer.from(value, 'utf8')));

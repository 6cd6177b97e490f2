// Writers of small files, from the formats' documents; they share nothing with the reader.

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const u32 = (value: number): Buffer => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
const u16 = (value: number): Buffer => Buffer.from([value >>> 8, value]);
const u32le = (value: number): Buffer => Buffer.from([value, value >>> 8, value >>> 16, value >>> 24]);

export const box = (type: string | number, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), typeof type === 'string' ? latin(type) : u32(type), body]);
};

/** A box whose length has 64 bits. */
export const largeBox = (type: string, content: Uint8Array): Buffer =>
  Buffer.concat([u32(1), latin(type), u32(0), u32(content.length + 16), content]);

export type Texts = Readonly<Record<string, string>>;

const data = (text: string): Buffer => box('data', u32(1), u32(0), Buffer.from(text, 'utf8'));

const handler = (kind: string): Buffer => box('hdlr', u32(0), u32(0), latin(kind), Buffer.alloc(13));

/** Names and items, in the way of `movflags use_metadata_tags`. */
export const keysAndItems = (texts: Texts): readonly Buffer[] => {
  const names = Object.keys(texts);
  return [
    handler('mdta'),
    box('keys', u32(0), u32(names.length), ...names.map((name) => box('mdta', Buffer.from(name)))),
    box('ilst', ...Object.values(texts).map((text, index) => box(index + 1, data(text)))),
  ];
};

const ftyp = (brand: string): Buffer => box('ftyp', latin(brand), u32(0), latin(`${brand}mp42`));

/** An MP4 whose tags come after its pictures. */
export const mp4 = (...userData: readonly Uint8Array[]): Buffer =>
  Buffer.concat([
    ftyp('isom'),
    largeBox('mdat', Buffer.alloc(100)),
    box('moov', box('mvhd', Buffer.alloc(100)), box('udta', ...userData)),
  ]);

export const mp4Tags = (texts: Texts): Buffer => mp4(box('meta', u32(0), ...keysAndItems(texts)));

/** A MOV, where the box of tags has no version and stands in the movie itself. */
export const mov = (texts: Texts): Buffer =>
  Buffer.concat([
    ftyp('qt  '),
    box('moov', box('meta', ...keysAndItems(texts))),
    box('mdat', Buffer.alloc(9)),
  ]);

/** The comment of iTunes. */
export const mp4Comment = (text: string): Buffer =>
  mp4(box('meta', u32(0), handler('mdir'), box('ilst', box('\u00a9cmt', data(text)))));

/** Items of iTunes under free names. */
export const mp4FreeItems = (texts: Texts): Buffer =>
  mp4(
    box(
      'meta',
      u32(0),
      handler('mdir'),
      box(
        'ilst',
        ...Object.entries(texts).map(([name, text]) =>
          box(
            '----',
            box('mean', u32(0), latin('com.apple.iTunes')),
            box('name', u32(0), latin(name)),
            data(text),
          ),
        ),
      ),
    ),
  );

/** The comment of QuickTime. */
export const movComment = (text: string): Buffer =>
  Buffer.concat([
    ftyp('qt  '),
    box('moov', box('udta', box('\u00a9cmt', u16(text.length), u16(0x55c4), latin(text)))),
  ]);

/** An AVIF without a picture: an EXIF item in a number of pieces, in `mdat` or (method 1) in `idat`. */
export const avif = (
  tiff: Uint8Array,
  {
    version = 0,
    pieces = 1,
    inData = false,
  }: { version?: 0 | 1 | 2; pieces?: number; inData?: boolean } = {},
): Buffer => {
  const item = Buffer.concat([u32(0), tiff]);
  const head = ftyp('avif');
  const id = (value: number): Buffer => (version < 2 ? u16(value) : u32(value));
  const infos = box(
    'iinf',
    u32(0),
    u16(2),
    box('infe', u32(0x02000000), u16(1), u16(0), latin('av01\0')),
    box('infe', u32(0x02000000), u16(2), u16(0), latin('Exif\0')),
  );
  const size = Math.ceil(item.length / pieces);
  const starts = Array.from({ length: pieces }, (_, index) => index * size);
  const meta = (itemAt: number): Buffer => {
    const places = (which: number, extents: readonly (readonly [number, number])[]): Buffer =>
      Buffer.concat([
        id(which),
        ...(version === 0 ? [] : [u16(inData && which === 2 ? 1 : 0)]),
        u16(0),
        u16(extents.length),
        ...extents.flatMap(([at, length]) => [u32(at), u32(length)]),
      ]);
    const iloc = box(
      'iloc',
      u32(version << 24),
      Buffer.from([0x44, 0]),
      id(2),
      places(1, [[0, 0]]),
      places(
        2,
        starts.map((start) => [(inData ? 0 : itemAt) + start, Math.min(size, item.length - start)]),
      ),
    );
    return box('meta', u32(0), handler('pict'), infos, iloc, ...(inData ? [box('idat', item)] : []));
  };
  const itemAt = head.length + meta(0).length + 8;
  return Buffer.concat([head, meta(itemAt), box('mdat', inData ? Buffer.alloc(0) : item)]);
};

/** An element of EBML, with the shortest size or one of eight bytes. */
export const element = (id: number, content: Uint8Array, wide = false): Buffer => {
  const name = Buffer.from(
    id.toString(16).padStart(id > 0xffffff ? 8 : id > 0xffff ? 6 : id > 0xff ? 4 : 2, '0'),
    'hex',
  );
  const length = content.length;
  const size =
    wide || length > 2 ** 28 - 2
      ? Buffer.concat([Buffer.from([1, 0, 0, 0]), u32(length)])
      : length < 127
        ? Buffer.from([0x80 | length])
        : u32(0x10000000 | length);
  return Buffer.concat([name, size, content]);
};

/** An element without a size. */
export const openElement = (id: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(id.toString(16), 'hex'), Buffer.from('01ffffffffffffff', 'hex'), content]);

export const tags = (texts: Texts): Buffer =>
  element(
    0x1254c367,
    element(
      0x7373,
      Buffer.concat([
        element(0x63c0, Buffer.alloc(0)),
        ...Object.entries(texts).map(([name, text]) =>
          element(
            0x67c8,
            Buffer.concat([element(0x45a3, latin(name)), element(0x4487, Buffer.from(text, 'utf8'))]),
          ),
        ),
      ]),
    ),
  );

const ebmlHead = element(
  0x1a45dfa3,
  Buffer.concat([element(0x4286, Buffer.from([1])), element(0x4282, latin('webm'))]),
);

const cluster = element(
  0x1f43b675,
  Buffer.concat([element(0xe7, Buffer.from([0])), element(0xa3, Buffer.alloc(500))]),
  true,
);

/** A WebM whose tags stand `before` its pictures, `after` them, after them and in its `index`, or in a `live` stream. */
export const webm = (texts: Texts, place: 'before' | 'after' | 'index' | 'live' = 'before'): Buffer => {
  const info = element(0x1549a966, element(0x2ad7b1, Buffer.from([15, 66, 64])));
  if (place === 'live') {
    const open = openElement(
      0x1f43b675,
      Buffer.concat([element(0xe7, Buffer.from([0])), element(0xa3, Buffer.alloc(500))]),
    );
    return Buffer.concat([ebmlHead, openElement(0x18538067, Buffer.concat([info, open, tags(texts)]))]);
  }
  if (place === 'before')
    return Buffer.concat([ebmlHead, element(0x18538067, Buffer.concat([info, tags(texts), cluster]))]);
  if (place === 'after')
    return Buffer.concat([ebmlHead, element(0x18538067, Buffer.concat([info, cluster, tags(texts)]))]);
  const index = (at: number): Buffer =>
    element(
      0x114d9b74,
      element(
        0x4dbb,
        Buffer.concat([element(0x53ab, Buffer.from('1254c367', 'hex')), element(0x53ac, u32(at))]),
      ),
    );
  const rest = Buffer.concat([info, cluster]);
  const at = index(0).length + rest.length;
  return Buffer.concat([ebmlHead, element(0x18538067, Buffer.concat([index(at), rest, tags(texts)]))]);
};

/** Vorbis comments. */
export const comments = (texts: Texts): Buffer => {
  const entries = Object.entries(texts).map(([name, text]) => Buffer.from(`${name}=${text}`, 'utf8'));
  return Buffer.concat([
    u32le(4),
    latin('test'),
    u32le(entries.length),
    ...entries.flatMap((entry) => [u32le(entry.length), entry]),
  ]);
};

const block = (type: number, content: Uint8Array, isLast = false): Buffer =>
  Buffer.concat([u32(content.length), content]).fill(type | (isLast ? 0x80 : 0), 0, 1);

const streamInfo = Buffer.concat([
  Buffer.from('10001000000000000000', 'hex'),
  Buffer.from('0ac440f000000000', 'hex'),
  Buffer.alloc(16),
]);

export const flac = (
  texts: Texts,
  ...blocks: readonly (readonly [type: number, content: Uint8Array])[]
): Buffer =>
  Buffer.concat([
    latin('fLaC'),
    block(0, streamInfo),
    ...blocks.map(([type, content]) => block(type, content)),
    block(4, comments(texts)),
    block(1, Buffer.alloc(20), true),
    Buffer.alloc(50),
  ]);

const page = (serial: number, sequence: number, segments: readonly number[], body: Uint8Array): Buffer =>
  Buffer.concat([
    latin('OggS\0'),
    Buffer.from([sequence === 0 ? 2 : 0]),
    Buffer.alloc(8),
    u32le(serial),
    u32le(sequence),
    Buffer.alloc(4),
    Buffer.from([segments.length, ...segments]),
    body,
  ]);

/** An Ogg stream of two packets and a third one in the last page; `other` puts pages of another stream between them. */
export const ogg = (
  first: Uint8Array,
  second: Uint8Array,
  { segmentsAPage = 255, other = false } = {},
): Buffer => {
  const pages = [page(7, 0, [first.length], first)];
  const lengths = [
    ...Array.from({ length: Math.floor(second.length / 255) }, () => 255),
    second.length % 255,
  ];
  for (let at = 0, sequence = 1; at < lengths.length; at += segmentsAPage, sequence += 1) {
    const some = lengths.slice(at, at + segmentsAPage);
    const start = at * 255;
    const body = second.subarray(start, start + some.reduce((sum, length) => sum + length, 0));
    if (other) pages.push(page(8, sequence - 1, [3], Buffer.from([1, 2, 3])));
    pages.push(page(7, sequence, some, body));
  }
  return Buffer.concat([...pages, page(7, 99, [5], Buffer.alloc(5))]);
};

const opusHead = Buffer.concat([latin('OpusHead'), Buffer.from([1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0])]);

export const opus = (texts: Texts, options: Parameters<typeof ogg>[2] = {}): Buffer =>
  ogg(opusHead, Buffer.concat([latin('OpusTags'), comments(texts)]), options);

const vorbisHead = Buffer.concat([
  latin('\u0001vorbis'),
  Buffer.from([0, 0, 0, 0, 1, 0x44, 0xac, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xb8, 1]),
]);

export const vorbis = (texts: Texts): Buffer =>
  ogg(vorbisHead, Buffer.concat([latin('\u0003vorbis'), comments(texts), Buffer.from([1])]));

const sevenBits = (value: number): Buffer =>
  Buffer.from([(value >>> 21) & 127, (value >>> 14) & 127, (value >>> 7) & 127, value & 127]);

/** How a frame of ID3 encodes its text. */
export type Id3Encoding = 'latin1' | 'utf16' | 'utf16be' | 'utf8';

const id3Text = (text: string, encoding: Id3Encoding): Buffer => {
  if (encoding === 'latin1' || encoding === 'utf8') return Buffer.from(text, encoding);
  const little = Buffer.from(text, 'utf16le');
  return encoding === 'utf16' ? Buffer.concat([Buffer.from([0xff, 0xfe]), little]) : little.swap16();
};

const id3Codes = { latin1: 0, utf16: 1, utf16be: 2, utf8: 3 } as const;

export interface Id3Options {
  readonly version?: 2 | 3 | 4;
  readonly encoding?: Id3Encoding;
  readonly unsynchronised?: boolean;
  readonly extended?: boolean;
  readonly comment?: boolean;
}

/** An ID3v2 tag with a frame for each text. */
export const id3 = (
  texts: Texts,
  {
    version = 3,
    encoding = 'latin1',
    unsynchronised = false,
    extended = false,
    comment = false,
  }: Id3Options = {},
): Buffer => {
  const zero = Buffer.alloc(encoding.startsWith('utf16') ? 2 : 1);
  const frames = Object.entries(texts).map(([name, text]) => {
    const plain = Buffer.concat([
      Buffer.from([id3Codes[encoding]]),
      ...(comment ? [latin('eng')] : []),
      id3Text(name, encoding),
      zero,
      id3Text(text, encoding),
      zero,
    ]);
    const body = unsynchronised && version === 4 ? withZeros(plain) : plain;
    if (version === 2)
      return Buffer.concat([latin(comment ? 'COM' : 'TXX'), u32(body.length).subarray(1), body]);
    const size = version === 4 ? sevenBits(body.length) : u32(body.length);
    const flags = Buffer.from([0, unsynchronised && version === 4 ? 2 : 0]);
    return Buffer.concat([latin(comment ? 'COMM' : 'TXXX'), size, flags, body]);
  });
  const extension = !extended
    ? []
    : version === 4
      ? [Buffer.concat([sevenBits(6), Buffer.from([1, 0])])]
      : [Buffer.concat([u32(6), Buffer.alloc(6)])];
  const plainBody = Buffer.concat([...extension, ...frames, Buffer.alloc(20)]);
  const body = unsynchronised && version !== 4 ? withZeros(plainBody) : plainBody;
  const flags = (unsynchronised ? 0x80 : 0) | (extended ? 0x40 : 0);
  return Buffer.concat([latin('ID3'), Buffer.from([version, 0, flags]), sevenBits(body.length), body]);
};

const withZeros = (bytes: Uint8Array): Buffer =>
  Buffer.from([...bytes].flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])));

/** An MP3 frame of silence, many times. */
const mp3Frames = Buffer.concat(
  Array.from({ length: 8 }, () => Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(413)])),
);

export const mp3 = (texts: Texts, options: Id3Options = {}): Buffer =>
  Buffer.concat([id3(texts, options), mp3Frames]);

export const safetensors = (metadata: Readonly<Record<string, unknown>>, tensors = 100): Buffer => {
  const header = Buffer.from(
    JSON.stringify({
      weight: { dtype: 'U8', shape: [tensors], data_offsets: [0, tensors] },
      __metadata__: metadata,
    }),
  );
  return Buffer.concat([u32le(header.length), u32le(0), header, Buffer.alloc(tensors)]);
};

export const glb = (json: unknown): Buffer => {
  const text = latin(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  return Buffer.concat([
    latin('glTF'),
    u32le(2),
    u32le(20 + padded.length),
    u32le(padded.length),
    latin('JSON'),
    padded,
  ]);
};

export const svg = (metadata: string, head = '<?xml version="1.0"?>\n'): Buffer =>
  Buffer.from(`${head}<svg xmlns="http://www.w3.org/2000/svg">${metadata}<path d="M0 0h9"/></svg>`);

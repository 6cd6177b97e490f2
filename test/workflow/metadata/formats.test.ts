import {
  box,
  comments,
  element,
  flac,
  glb,
  id3,
  keysAndItems,
  mp3,
  mp4,
  ogg,
  opus,
  safetensors,
} from './write-media.js';
import { describe, expect, it } from 'vitest';
import {
  asciiEntry,
  exifSegment,
  jpeg,
  png,
  pngChunk,
  pngText,
  riff,
  segment,
  tiff,
} from './write-pictures.js';
import { prompt } from './samples.js';
import { workflowIn } from '../../../src/workflow.js';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const u32 = (value: number): Buffer => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
const u32le = (value: number): Buffer => Buffer.from(u32(value)).reverse();
const ours = latin(`prompt:${prompt}`);
const texts = { prompt };

/** What was found in a file: `prompt`, nothing, or why the search ended. */
const found = async (...pieces: readonly Uint8Array[]): Promise<string> => {
  const search = await workflowIn(Buffer.concat(pieces));
  if (search._tag === 'Problem') return `${search.problem.reason}: ${search.problem.message}`;
  return search._tag === 'None'
    ? 'none'
    : Object.keys(search)
        .filter((name) => name === 'prompt')
        .join();
};
const truncated = 'truncated: The file ends before a part that it announces.';

describe('a JPEG', () => {
  it('may have fillings and markers without a length between its segments', async () => {
    const marks = [[0xff], [0xff, 0x01], [0xff, 0xd0], [0xff, 0xd8], [0xff, 0xff, 0xff]];
    for (const mark of marks)
      expect([mark, await found(jpeg([Buffer.from(mark), segment(0xfe, ours)]))]).toEqual([mark, 'prompt']);
  });

  it('has nothing else between them, and ends with its scan or its end', async () => {
    expect(await found(jpeg([Buffer.from([0, 0xfe])]))).toBe(
      'malformed: The JPEG has something between its segments.',
    );
    for (const marker of [0xda, 0xd9])
      expect(await found(jpeg([segment(marker, Buffer.alloc(0)), segment(0xfe, ours)]))).toBe('none');
    const cut = Buffer.concat([Buffer.from([0xff, 0xd8]), segment(0xe0, Buffer.alloc(9))]);
    expect(await found(cut.subarray(0, -1))).toBe(truncated);
  });

  it('has EXIF data in a segment of their own name', async () => {
    const exif = tiff([asciiEntry(0x010f, ours.toString('latin1'))]);
    expect(await found(jpeg([exifSegment(exif)]))).toBe('prompt');
    expect(await found(jpeg([segment(0xe1, Buffer.concat([latin('Else\0\0'), exif]))]))).toBe('none');
    expect(await found(jpeg([segment(0xe2, Buffer.concat([latin('Exif\0\0'), exif]))]))).toBe('none');
    expect(await found(jpeg([exifSegment(latin('XX\0*\0\0\0\x08\0\0\0\0'))]))).toBe(
      'malformed: The EXIF data name no byte order.',
    );
  });

  it('has texts in entries of texts, longer than four characters', async () => {
    expect(await found(jpeg([exifSegment(tiff([[0x010f, ours, 7]]))]))).toBe('none');
    expect(await found(jpeg([exifSegment(tiff([[0x010f, ours, 2]], [], 'MM'))]))).toBe('prompt');
    expect(await found(jpeg([exifSegment(tiff([], [[0x010f, ours, 2]]))]))).toBe('prompt');
  });
});

describe('a FLAC or an Ogg', () => {
  const block = (type: number, length: number, content: Uint8Array = Buffer.alloc(0)) =>
    Buffer.concat([Buffer.from([type, 0, length >>> 8, length]), content]);

  it('ends early where its last block is cut', async () => {
    expect(await found(latin('fLaC'), block(0x81, 20, Buffer.alloc(19)))).toBe(truncated);
    expect(await found(latin('fLaC'), block(0x81, 20, Buffer.alloc(20)))).toBe('none');
    expect(await found(flac(texts))).toBe('prompt');
  });

  it('has comments that begin within their block', async () => {
    const short = Buffer.concat([u32le(5), latin('abcd'), u32le(0)]);
    expect(await found(latin('fLaC'), block(0x84, short.length, short), Buffer.alloc(50))).toBe(
      'malformed: The comments end before they begin.',
    );
    const cut = comments({ prompt: prompt.repeat(2) }).subarray(0, 30);
    expect(await found(latin('fLaC'), block(0x84, cut.length, cut), Buffer.alloc(500))).toBe(truncated);
    const other = comments({ other: prompt }).subarray(0, 30);
    expect(await found(latin('fLaC'), block(0x84, other.length, other), Buffer.alloc(500))).toBe('none');
  });

  it('has as many comments as it says, each with a name', async () => {
    const list = (count: number, ...entries: readonly string[]) => {
      const all = entries.map((text) => Buffer.concat([u32le(text.length), latin(text)]));
      return Buffer.concat([u32le(0), u32le(count), ...all]);
    };
    const search = (content: Uint8Array) =>
      found(latin('fLaC'), block(0x84, content.length, content), Buffer.alloc(50));
    const named = `prompt=${prompt}`;
    expect([await search(list(2, 'x=1', named)), await search(list(1, 'x=1', named))]).toEqual([
      'prompt',
      'none',
    ]);
    expect(await search(list(1, 'prompt={"=":{"class_type":"A","inputs":{}}}'))).toBe('prompt');
    // A text without a name is of no use, whatever it holds.
    expect(await search(list(2, `{"prompt":${prompt}}`, 'x=1'))).toBe('none');
    // A block that says that it has none is followed by others.
    const empty = list(0);
    const own = list(1, named);
    expect(await found(latin('fLaC'), block(4, empty.length, empty), block(0x84, own.length, own))).toBe(
      'prompt',
    );
  });

  it('follows the tag of a song only where it begins there', async () => {
    const tag = id3({ other: 'x' });
    const own = comments(texts);
    const blocks = [block(0x84, own.length, own), Buffer.alloc(50)];
    expect(await found(tag, latin('fLaC'), ...blocks)).toBe('prompt');
    expect(await found(tag, latin('abcd'), ...blocks)).toBe('none');
  });

  /** A name of four characters, and one of 132, have lengths that look like the type of a FLAC block. */
  const writers = [6, 4, 0x84].map((length) => Buffer.concat([u32le(length), latin('w'.repeat(length))]));

  it.each<readonly [string, (length: number) => Uint8Array]>([
    ['OpusTags', () => latin('OpusTags')],
    ['Vorbis', () => latin('\u0003vorbis')],
    ['Theora', () => latin('\u0081theora')],
    ['FLAC', (length) => u32(0x04_00_00_00 + length)],
    ['FLAC, at the end of its blocks', (length) => u32(0x84_00_00_00 + length)],
    ['Speex, without a name', () => Buffer.alloc(0)],
  ])('has comments in its second packet: %s', async (_, name) => {
    for (const writer of writers) {
      const written = comments({ ...texts, other: 'x'.repeat(600) }).subarray(8);
      const second = Buffer.concat([name(writer.length + written.length), writer, written]);
      for (const options of [{}, { segmentsAPage: 1, other: true }])
        expect(await found(ogg(latin('first'), second, options))).toBe('prompt');
    }
  });

  it('has nothing between its pages, and a second packet', async () => {
    const whole = opus(texts);
    expect(await found(whole.subarray(0, 47), latin('xx'), whole.subarray(47))).toMatch(
      /^malformed: The Ogg file has/u,
    );
    const [, second] = [whole.indexOf('OggS'), whole.indexOf('OggS', 10)];
    expect(await found(whole.subarray(0, second))).toBe(truncated);
  });
});

describe('the tag of an MP3', () => {
  /** A frame of version 4 with flags of its own. */
  const frame = (flags: number, content: Uint8Array) =>
    Buffer.concat([latin('TXXX'), u32(content.length), Buffer.from([0, flags]), content]);
  const tagOf = (frames: Uint8Array, length = frames.length) =>
    Buffer.concat([
      latin('ID3'),
      Buffer.from([4, 0, 0, 0, 0, length >> 7, length & 0x7f]),
      frames,
      Buffer.alloc(50),
    ]);
  const text = (name: string) =>
    Buffer.concat([Buffer.from([0]), latin(`${name}\0{"1":{"class_type":"A"}}`)]);

  it('has texts, and comments with a language, in every version', async () => {
    for (const version of [2, 3, 4] as const)
      for (const comment of [false, true])
        expect([version, comment, await found(mp3(texts, { version, comment }))]).toEqual([
          version,
          comment,
          'prompt',
        ]);
  });

  it('has frames up to its end', async () => {
    const frames = frame(0, text('prompt'));
    expect(await found(tagOf(frames))).toBe('prompt');
    expect(
      await found(tagOf(Buffer.concat([frame(0, text('other')), frames]), frame(0, text('other')).length)),
    ).toBe('none');
  });

  it('has the length of a text before it where a flag says so', async () => {
    const content = text('prompt');
    expect(await found(tagOf(frame(1, Buffer.concat([u32(content.length), content]))))).toBe('prompt');
  });

  it('has zeros after 0xFF in a text of its own where none were put there', async () => {
    const wide = Buffer.concat([
      Buffer.from([1, 0xff, 0xfe]),
      Buffer.from('prompt\0', 'utf16le'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('{"ÿ":{"class_type":"A"}}', 'utf16le'),
    ]);
    const search = await workflowIn(tagOf(frame(0, wide)));
    expect(search).toMatchObject({ prompt: { value: { ÿ: { class_type: 'A' } } } });
  });
});

describe('an MP4', () => {
  it('has names of tags up to the end of their list', async () => {
    expect(await found(mp4(box('meta', u32(0), ...keysAndItems(texts))))).toBe('prompt');
    const [handler, , items] = keysAndItems(texts);
    const short = box('keys', u32(0), u32(1), u32(7), latin('mdta'), latin('prompt'));
    expect(await found(mp4(box('meta', u32(0), handler!, short, items!)))).toBe(
      'malformed: A name of a tag is shorter than its header.',
    );
  });

  it.each(['isom', 'qt  ', 'M4A '])('is told by its brand: %s', async (brand) => {
    const head = box('ftyp', latin(brand), u32(0), latin(brand));
    const movie = box('moov', box('meta', u32(0), ...keysAndItems(texts)));
    expect(await workflowIn(Buffer.concat([head, movie]))).toMatchObject({
      format: 'mp4',
      prompt: { text: prompt },
    });
  });

  it('has boxes that are as long as their headers, and within each other', async () => {
    const head = box('ftyp', latin('isom'), u32(0), latin('isommp42'));
    expect(await found(head, u32(7), latin('free'), Buffer.alloc(20))).toBe(
      'malformed: A box is shorter than its header.',
    );
    expect(await found(head, u32(8), latin('free'))).toBe('none');
    expect(await found(head, u32(9), latin('free'))).toBe(truncated);
    expect(await found(head, u32(0), latin('moov'))).toBe('none');
    expect(await found(head, u32(1), latin('free'), u32(0), u32(15), Buffer.alloc(9))).toBe(
      'malformed: A box is shorter than its header.',
    );
  });
});

describe('an AVIF', () => {
  const info = (id: number, isWide: boolean, type = 'Exif') =>
    isWide
      ? box('infe', u32(0x03000000), u32(id), Buffer.alloc(2), latin(`${type}\0`))
      : box('infe', u32(0x02000000), Buffer.from([id >>> 8, id]), Buffer.alloc(2), latin(`${type}\0`));
  const file = (infos: readonly Uint8Array[], wanted: number, isWide: boolean, version = 0) => {
    const item = Buffer.concat([u32(0), tiff([asciiEntry(0x010f, ours.toString('latin1'))])]);
    const count = version === 0 ? Buffer.from([0, infos.length]) : u32(infos.length);
    const id = isWide ? u32(wanted) : Buffer.from([wanted >>> 8, wanted]);
    const method = isWide ? Buffer.from([0, 1]) : Buffer.alloc(0);
    const places = Buffer.concat([
      ...[u32(isWide ? 0x02000000 : 0), Buffer.from([0x44, 0]), isWide ? u32(1) : Buffer.from([0, 1])],
      ...[id, method, Buffer.alloc(2), Buffer.from([0, 1])],
    ]);
    const head = box('ftyp', latin('avif'), u32(0), latin('avifmif1'));
    const meta = (at: number) =>
      box(
        'meta',
        u32(0),
        box('iinf', u32(version << 24), count, ...infos),
        box('iloc', places, u32(at), u32(item.length)),
        box('idat', item),
      );
    const at = isWide ? 0 : head.length + meta(0).length - item.length;
    return Buffer.concat([head, meta(at)]);
  };

  it('has its EXIF data where its lists say, with numbers of either width', async () => {
    expect(await found(file([info(1, false, 'av01'), info(300, false)], 300, false))).toBe('prompt');
    expect(await found(file([info(1, true, 'av01'), info(70_000, true)], 70_000, true))).toBe('prompt');
    expect(await found(file([info(2, false)], 2, false, 1))).toBe('prompt');
  });

  it('has none where its lists do not say', async () => {
    expect(await found(file([info(1, false, 'av01')], 1, false))).toBe('none');
    expect(await found(file([info(2, false)], 3, false))).toBe('none');
  });
});

describe('a WAV', () => {
  it('has texts in its list of information alone', async () => {
    const list = (kind: string) => Buffer.concat([latin(kind), latin('IPRT'), u32le(ours.length), ours]);
    const wav = (kind: string, name = 'LIST') =>
      riff('WAVE', [
        ['data', Buffer.alloc(3)],
        [name, list(kind)],
      ]);
    expect([await found(wav('INFO')), await found(wav('adtl')), await found(wav('INFO', 'list'))]).toEqual([
      ...['prompt', 'none', 'none'],
    ]);
    expect(await found(riff('WAVE', [['data', Buffer.alloc(4)]]).subarray(0, -1))).toBe(truncated);
  });
});

describe('a Matroska file', () => {
  const ebml = element(0x1a45dfa3, element(0x4282, latin('webm')));
  const tags = (name: string) =>
    element(
      0x1254c367,
      element(
        0x7373,
        element(0x67c8, Buffer.concat([element(0x45a3, latin(name)), element(0x4487, latin(prompt))])),
      ),
    );
  const seek = (id: number, at: number) =>
    element(
      0x4dbb,
      Buffer.concat([element(0x53ab, u32(id)), element(0x53ac, u32(at)), element(0xec, Buffer.alloc(2))]),
    );
  const file = (index: Uint8Array, ...rest: readonly Uint8Array[]) =>
    Buffer.concat([ebml, element(0x18538067, Buffer.concat([element(0x114d9b74, index), ...rest]))]);

  it('has tags where its index says, and is walked through where that names none', async () => {
    const cluster = element(0x1f43b675, Buffer.alloc(30));
    const other = seek(0x1549a966, 7);
    const at = element(0x114d9b74, seek(0x1254c367, 0)).length + cluster.length;
    expect(await found(file(seek(0x1254c367, at), cluster, tags('PROMPT')))).toBe('prompt');
    expect(await found(file(other, cluster, tags('PROMPT')))).toBe('prompt');
    // The index leads to something else: what comes later is not looked for.
    expect(await found(file(seek(0x1254c367, at - cluster.length), cluster, tags('PROMPT')))).toBe('none');
    expect(await found(file(other, cluster, tags('TITLE')))).toBe('none');
  });

  it('has ids and sizes of so many bytes', async () => {
    expect(await found(ebml, Buffer.from([0x08, 0x80, 0, 0, 0, 0]))).toBe(
      'malformed: An element has no valid id.',
    );
    expect(await found(ebml, Buffer.from([0x80, 0x00, 0, 0, 0, 0]))).toBe(
      'malformed: An element has no valid size.',
    );
    expect(await found(ebml, Buffer.from([0x80, 0x84, 0]))).toBe(truncated);
  });
});

describe('a PNG', () => {
  it('has chunks of types, with keywords of ours', async () => {
    const bad = Buffer.concat([png([]).subarray(0, 33), u32(0), latin('te1t'), u32(0)]);
    expect(await found(bad)).toBe('malformed: A chunk of the PNG has no type.');
    expect(await found(png([['tEXt', latin(`promptly\0${prompt}`)]]))).toBe('none');
    expect(await found(png([['tEXt', latin(`xprompt\0${prompt}`)]]))).toBe('none');
    expect(await found(png([['tEXt', latin('prompt')]]))).toBe('none');
    expect(await found(png([['iTXt', latin(`prompt\0\0\0en`)]]))).toBe(
      'malformed: A text of the PNG has no end of its keyword.',
    );
    expect(await found(png([['iTXt', latin(`prompt\0\0\0en\0\0`)]]))).toBe('none');
  });

  it('has chunks after its end as long as they are whole', async () => {
    const late = pngChunk(pngText('prompt', prompt));
    expect(await found(png([]), late)).toBe('prompt');
    expect(await found(png([]), late.subarray(0, -5))).toBe('none');
    expect(await found(png([]), late.subarray(0, 7))).toBe('none');
    expect(await found(png([]).subarray(0, -1))).toBe('none');
  });
});

describe('JSON', () => {
  it('in a model or a scene has its place', async () => {
    expect(await found(safetensors({ prompt }))).toBe('prompt');
    expect(await found(glb({ asset: { extras: { prompt: JSON.parse(prompt) as unknown } } }))).toBe('prompt');
    expect(await found(glb({ extras: { prompt: {} } }))).toBe('none');
    const binary = Buffer.from(glb({ asset: {} }));
    binary.write('BIN\0', 16, 'latin1');
    expect(await found(binary)).toBe('malformed: The first chunk of the glTF is not JSON.');
  });

  it('is a graph by its first node, or an editor’s file by its list of nodes', async () => {
    const of = async (value: unknown) => {
      const search = await workflowIn(Buffer.from(JSON.stringify(value)));
      return search._tag === 'Found'
        ? [search.prompt !== undefined, search.workflow !== undefined]
        : search._tag;
    };
    const node = { class_type: 'A', inputs: {} };
    expect(await of({ prompt: node, workflow: node })).toEqual([true, false]);
    expect(await of({ nodes: [{ id: 1, type: 'A' }], links: [] })).toEqual([false, true]);
    expect(await of({ nodes: {}, prompt: { 1: node } })).toEqual([true, false]);
    expect(await of({ nodes: 5 })).toBe('None');
    expect(await of({ 1: { class_type: 5 } })).toBe('None');
    expect(await of({ prompt: { 1: node }, workflow: { nodes: [], links: [] }, other: { 2: node } })).toEqual(
      [true, true],
    );
  });
});

describe('an SVG', () => {
  const drawing = (metadata: string, before = '') => latin(`<svg>${before}${metadata}</svg>`);
  const json = JSON.stringify({ prompt: { 1: { class_type: '<&>"\'' } } });
  const escaped = json
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

  it('has one object in its metadata, escaped or as CDATA', async () => {
    const valueOf = async (file: Uint8Array) => {
      const search = await workflowIn(file);
      return search._tag === 'Found' ? search.prompt?.value : search._tag;
    };
    const value = { 1: { class_type: '<&>"\'' } };
    for (const text of [escaped, escaped.replaceAll("'", '&apos;'), `\n<![CDATA[${json}]]> `])
      expect(await valueOf(drawing(`<metadata>${text}</metadata>`))).toEqual(value);
    expect(await valueOf(drawing(`<metadata id="x">${escaped}</metadata>`))).toEqual(value);
    expect(await valueOf(drawing(`<metadatas>${escaped}</metadatas>`))).toBe('None');
  });

  it.each([16_372, 16_373, 16_374, 16_378, 16_383, 16_384, 32_760, 40_000, 1_000_000])(
    'has metadata that end %i bytes after they begin',
    async (length) => {
      const padded = JSON.stringify({ prompt: { 1: 'x' }, more: '' }).length;
      const text = JSON.stringify({ prompt: { 1: 'x' }, more: 'y'.repeat(length - padded) });
      expect(text).toHaveLength(length);
      expect(await found(drawing(`<metadata>${text}</metadata>`))).toBe('prompt');
    },
  );

  it('has metadata near its beginning, which end', async () => {
    expect(await found(drawing(`<metadata>${escaped}</metadata>`, `<!--${'x'.repeat(20_000)}-->`))).toBe(
      'none',
    );
    expect(await found(latin(`<svg><metadata>${escaped}`))).toBe(truncated);
  });
});

it('a search that fails before the format is known tells none', async () => {
  const search = await workflowIn({ size: 100, read: () => Promise.reject(new Error('gone')) });
  expect(search).toStrictEqual({
    _tag: 'Problem',
    problem: { reason: 'unreadable', message: 'The source could not be read: Error: gone' },
  });
  expect(await workflowIn(Buffer.from('x'))).toStrictEqual({ _tag: 'None' });
});

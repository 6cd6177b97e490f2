import { describe, expect, it } from 'vitest';
import { box, element, flac, id3, keysAndItems, ogg, comments, opus, tags } from './write-media.js';
import { deflateSync } from 'node:zlib';
import { png, type PngChunk, pngChunk, pngText } from './write-pictures.js';
import { prompt, workflow } from './samples.js';
import { type RangedReader, workflowIn, type WorkflowInOptions } from '../../../src/workflow.js';

const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;

/** A file that exists in pieces; between them are zeros, which nobody stores. */
const sparse = (size: number, pieces: readonly (readonly [at: number, bytes: Uint8Array])[]) => {
  const counted = { bytes: 0, reads: 0, most: 0 };
  const source: RangedReader = {
    size,
    read: (start, end) => {
      counted.reads += 1;
      counted.bytes += end - start;
      counted.most = Math.max(counted.most, end - start);
      if (counted.bytes > 64 * MiB) throw new Error('too much is read');
      const bytes = new Uint8Array(end - start);
      for (const [at, piece] of pieces) {
        const from = Math.max(at, start);
        const to = Math.min(at + piece.length, end);
        if (from < to) bytes.set(piece.subarray(from - at, to - at), from - start);
      }
      return bytes;
    },
  };
  return { source, counted };
};

const both = { prompt, workflow };
const metadataLength = prompt.length + workflow.length;

const bigChunk = (length: number, type: string): Buffer => {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1')]);
  bytes.writeUInt32BE(length);
  return bytes;
};

describe('workflowIn reads no more than it needs', () => {
  const pixels = 2 * GiB - 1;
  const before = png([]).subarray(0, 33);
  const after = Buffer.concat([pngText('prompt', prompt), pngText('workflow', workflow)].map(pngChunk));
  const isom = box('ftyp', Buffer.from('isom\0\0\0\0'));
  const movie = box('moov', box('udta', box('meta', Buffer.alloc(4), ...keysAndItems(both))));
  const large = Buffer.concat([Buffer.from('\0\0\0\u0001mdat\0\0\0\u0001', 'latin1'), Buffer.alloc(4)]);
  const segment = element(0x1a45dfa3, element(0x4282, Buffer.from('webm')));
  const openSegment = Buffer.from('1853806701ffffffffffffff', 'hex');
  const bigCluster = Buffer.from('1f43b6750100000100000000', 'hex');

  it.each([
    [
      'a PNG whose texts come after 2 GiB of pixels',
      before.length + 12 + pixels + after.length,
      [
        [0, before],
        [before.length, bigChunk(pixels, 'IDAT')],
        [before.length + 12 + pixels, after],
      ],
    ],
    [
      'an MP4 whose tags come after 4 GiB of pictures',
      isom.length + 4 * GiB + movie.length,
      [
        [0, isom],
        [isom.length, large],
        [isom.length + 4 * GiB, movie],
      ],
    ],
    [
      'a WebM whose tags come after 4 GiB of pictures',
      segment.length + 24 + 4 * GiB + 1000,
      [
        [0, Buffer.concat([segment, openSegment, bigCluster])],
        [segment.length + 24 + 4 * GiB, tags(both)],
      ],
    ],
    ['a FLAC of 1 GiB', GiB, [[0, flac(both)]]],
    ['an Opus file of 1 GiB', GiB, [[0, opus(both)]]],
  ] as const)('of %s', async (_, size, pieces) => {
    const { source, counted } = sparse(size, pieces);
    expect(await workflowIn(source)).toMatchObject({
      _tag: 'Found',
      prompt: { text: prompt },
      workflow: { text: workflow },
    });
    expect(counted.bytes).toBeLessThanOrEqual(metadataLength + 16 * KiB);
    expect(counted.reads).toBeLessThanOrEqual(14);
  });

  it('of a picture with large texts that are not ours', async () => {
    const others: PngChunk[] = ['parameters', 'XML:com.adobe.xmp', 'promptly'].map((name) =>
      pngText(name, 'x'.repeat(4 * MiB)),
    );
    const file = png([...others, pngText('prompt', prompt), pngText('workflow', workflow)]);
    const { source, counted } = sparse(file.length, [[0, file]]);
    expect(await workflowIn(source)).toMatchObject({ _tag: 'Found', prompt: { text: prompt } });
    expect(counted.bytes).toBeLessThanOrEqual(metadataLength + 16 * KiB);
  });

  it('of a picture with many chunks before its texts', async () => {
    const chunks: PngChunk[] = Array.from({ length: 4000 }, () => ['IDAT', Buffer.alloc(5000)]);
    const file = png([], [...chunks, pngText('prompt', prompt), pngText('workflow', workflow)]);
    const { source, counted } = sparse(file.length, [[0, file]]);
    expect(await workflowIn(source)).toMatchObject({ _tag: 'Found', workflow: { text: workflow } });
    expect(counted.bytes).toBeLessThanOrEqual(metadataLength + 64 * KiB);
  });

  it('of a song with a large cover, in FLAC and in MP3', async () => {
    const cover = 'x'.repeat(3 * MiB);
    for (const file of [flac({ METADATA_BLOCK_PICTURE: cover, ...both }), id3({ cover, ...both })]) {
      const { source, counted } = sparse(file.length, [[0, file]]);
      expect(await workflowIn(source)).toMatchObject({ _tag: 'Found', prompt: { text: prompt } });
      expect(counted.bytes).toBeLessThanOrEqual(metadataLength + 32 * KiB);
    }
  });

  it('allocates nothing by a length that the file states', async () => {
    const files = [
      Buffer.concat([before, bigChunk(2 ** 31 - 1, 'tEXt'), Buffer.from('prompt\0{')]),
      Buffer.concat([Buffer.from('\0\0\0\u00f0\0\0\0\0{', 'latin1'), Buffer.alloc(9)]),
      Buffer.concat([
        isom,
        Buffer.from('\u00ff\u00ff\u00ff\u00f0moov\u00ff\u00ff\u00ff\u00e0udta', 'latin1'),
      ]),
    ];
    for (const file of files) {
      const { source, counted } = sparse(file.length, [[0, file]]);
      expect(await workflowIn(source)).toMatchObject({ _tag: 'Problem' });
      expect(counted.most).toBeLessThanOrEqual(file.length);
    }
  });
});

describe('workflowIn ends with a problem', () => {
  const problemOf = async (source: Parameters<typeof workflowIn>[0]): Promise<unknown> => {
    const search = await workflowIn(source);
    return search._tag === 'Problem' ? search.problem.reason : search._tag;
  };

  const within = { maxMetadataBytes: MiB };
  const told = async (bytes: Buffer, options: WorkflowInOptions = within): Promise<string> => {
    const found = await workflowIn(bytes, options);
    return found._tag === 'Problem' ? `${found.problem.reason}: ${found.problem.message}` : found._tag;
  };

  it('N6 at more parts than the bound, which it names with its option', async () => {
    const many = (count: number): Buffer =>
      png(Array.from({ length: count }, () => ['teST', Buffer.alloc(0)]));
    const bounded = { maxParts: 4096 };
    expect(await told(many(4093), bounded)).toBe('None');
    expect(await told(many(4094), bounded)).toBe(
      'too-many-parts: It has more than 4096 parts, the bound of maxParts; the search ended there.',
    );
    expect(await told(many(4094), {})).toBe('None');
    expect(await told(many(65_534), {})).toMatch(/^too-many-parts: .* 65536 parts, the bound of maxParts/u);
  });

  it('N6 finds the texts behind the pixels of a large picture in small chunks, where no bound is set', async () => {
    const pixels: PngChunk[] = Array.from({ length: 20_000 }, () => ['IDAT', Buffer.alloc(64)]);
    expect(await told(png([], [...pixels, pngText('prompt', prompt)]), {})).toBe('Found');
  });

  it('N6 at more headers than such parts have', async () => {
    const texts = (count: number): Buffer =>
      png(Array.from({ length: count }, () => pngText('other', 'x'.repeat(5000))));
    expect(await told(texts(2500), { maxParts: 4096 })).toBe('None');
    expect(await told(texts(4000), { maxParts: 4096 })).toMatch(
      /^too-many-parts: .* 65536 bytes .* maxParts/u,
    );
    expect(await told(texts(4000), {})).toBe('None');
  });

  it('N1 at more metadata than the bound, which it names with its option', async () => {
    const text = (length: number): string => `{"a": "${'x'.repeat(length)}"}`;
    const above = `too-large: Its metadata has more than ${MiB} bytes, the bound of maxMetadataBytes.`;
    expect(await told(png([pngText('prompt', text(0.9 * MiB))]))).toBe('Found');
    expect(await told(png([pngText('prompt', text(MiB))]))).toBe(above);
    const twice = png([pngText('prompt', `a${text(0.6 * MiB)}`), pngText('workflow', text(0.6 * MiB))]);
    expect(await told(twice)).toBe(above);
    expect(await told(Buffer.from(text(MiB)))).toBe(above);
    expect(await told(ogg(Buffer.from('OpusHead'), Buffer.alloc(1.1 * MiB)))).toMatch(/^too-/u);
  });

  it('N1 at more inflated metadata than the bound', async () => {
    const deflated = (length: number, first = '{'): PngChunk => [
      'zTXt',
      Buffer.concat([Buffer.from('prompt\0\0'), deflateSync(`${first}"a": "${' '.repeat(length)}"}`)]),
    ];
    expect(await told(png([deflated(0.9 * MiB)]))).toBe('Found');
    expect(await told(png([deflated(1.1 * MiB)]))).toMatch(/^too-large: .* maxMetadataBytes/u);
    expect(await told(png([deflated(0.6 * MiB, 'x'), deflated(0.6 * MiB)]))).toMatch(/^too-large/u);
  });

  it('N1 only there: a graph and an editor’s file with 20 MiB of pictures each are found', async () => {
    const text = `{"a": "${'x'.repeat(20 * MiB)}"}`;
    const found = await workflowIn(png([pngText('prompt', text), pngText('workflow', text)]));
    expect(found._tag === 'Found' && [found.prompt, found.workflow].map((one) => one?.text.length)).toEqual([
      text.length,
      text.length,
    ]);
  });

  it('at a million JSON values, and at texts nested too deep', async () => {
    const list = (count: number): string => `{"a": [${'0,'.repeat(count)}0]}`;
    expect(await problemOf(png([pngText('prompt', list(300_000))]))).toBe('Found');
    expect(await problemOf(png([pngText('prompt', list(1_000_000))]))).toBe('too-large');
    expect(await problemOf(png([pngText('prompt', `{"a":${'['.repeat(500_000)}`)]))).toBe('not-json');
    expect(await problemOf(Buffer.from('{"a":'.repeat(500_000)))).toBe('not-json');
  });

  it('at damaged compression', async () => {
    const deflated = deflateSync(prompt);
    for (const data of [deflated.subarray(0, -6), Buffer.from('no zlib'), Buffer.alloc(0)])
      expect(await problemOf(png([['zTXt', Buffer.concat([Buffer.from('prompt\0\0'), data])]]))).toBe(
        'malformed',
      );
  });

  it.each([
    ['a chunk of a PNG without a type', Buffer.concat([png([]).subarray(0, 33), Buffer.alloc(20)])],
    [
      'a box that is shorter than its header',
      Buffer.from('\0\0\0\u0010ftypisom\0\0\0\0\0\0\0\u0002moov\0\0\0\0'),
    ],
    ['an element without an id', Buffer.concat([element(0x1a45dfa3, Buffer.alloc(5)), Buffer.alloc(20)])],
    ['a JPEG with rubbish between its segments', Buffer.from('ffd8ffe0000400000000000000', 'hex')],
    ['comments that end before they begin', flac({}, [4, comments({}).fill(255, 0, 2)])],
  ])('at %s', async (_, file) => {
    expect(await problemOf(file)).toMatch(/^(?:malformed|truncated)$/u);
  });
});

import { Bytes, joinBytes } from '../../../src/workflow/metadata/bytes.js';
import { createByteReader, readerOf } from '../../../src/workflow/metadata/byte-reader.js';
import { createFindings, looksLikeOurs, offerAt } from '../../../src/workflow/metadata/findings.js';
import { decodeJson, decodeText, decodeUtf16, inflate } from '../../../src/workflow/metadata/text.js';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rangedReader } from '../../../src/workflow/metadata/source.js';

const bytesOf = (...values: readonly number[]) => new Uint8Array(values);
const text = (given: string) => new Uint8Array(Buffer.from(given));

describe('the bytes of a file', () => {
  it('are read as numbers of either order, wherever the array begins', () => {
    const bytes = new Bytes(new Uint8Array([9, 1, 2, 3, 4, 5, 6, 7, 8]).subarray(1));
    expect([bytes.length, bytes.u8(7), bytes.u16(6), bytes.u16(6, true)]).toEqual([8, 8, 0x0708, 0x0807]);
    expect([bytes.u32(4), bytes.u32(4, true)]).toEqual([0x05060708, 0x08070605]);
    expect([bytes.u64(0), bytes.u64(0, true)]).toEqual([
      Number(0x0102030405060708n),
      Number(0x0807060504030201n),
    ]);
    expect([bytes.uint(0, 0), bytes.uint(1, 1), bytes.uint(0, 3)]).toEqual([0, 2, 0x010203]);
    expect([bytes.latin1(0, 2), bytes.latin1(7, 99)]).toEqual(['\x01\x02', '\x08']);
  });

  it('end the search where they are too few', () => {
    const bytes = new Bytes(bytesOf(1, 2, 3, 4, 5, 6, 7, 8));
    const reads = [
      () => bytes.u8(8),
      () => bytes.u16(7),
      () => bytes.u32(5),
      () => bytes.u64(1),
      () => bytes.uint(7, 2),
    ];
    for (const read of reads) expect(read).toThrow(expect.objectContaining({ reason: 'truncated' }) as Error);
  });

  it('are joined in their order', () => {
    expect(joinBytes([bytesOf(1), bytesOf(), bytesOf(2, 3)])).toEqual(bytesOf(1, 2, 3));
  });
});

describe('the text of a file', () => {
  it('is UTF-8, else Latin-1, without zeros at its end', () => {
    expect(decodeText(text('é\0a\0\0'))).toBe('é\0a');
    expect(decodeText(bytesOf(0xe9, 0x61, 0))).toBe('éa');
    expect(decodeText(bytesOf(0, 0))).toBe('');
  });

  it('of JSON is UTF-16 by its mark, and a guess where it is neither', () => {
    expect(decodeJson(bytesOf(0xff, 0xfe, 0x61, 0))).toEqual({ text: 'a', isGuess: false });
    expect(decodeJson(bytesOf(0xfe, 0xff, 0, 0x61))).toEqual({ text: 'a', isGuess: false });
    expect(decodeJson(text('\uFEFFé'))).toEqual({ text: 'é', isGuess: false });
    expect(decodeJson(bytesOf(0xe9))).toEqual({ text: 'é', isGuess: true });
    // The sign for what can't be read may stand in a text itself.
    expect(decodeJson(text('\u{FFFD}'))).toEqual({ text: '\u{FFFD}', isGuess: false });
    expect(decodeJson(bytesOf(0xff, 0x61))).toEqual({ text: 'ÿa', isGuess: true });
    expect(decodeJson(bytesOf(0xfe, 0x61))).toEqual({ text: 'þa', isGuess: true });
  });

  it('of UTF-16 has the order of its mark, or of its first zero', () => {
    expect([decodeUtf16(bytesOf(0, 0x61, 0, 0x62)), decodeUtf16(bytesOf(0x61, 0, 0x62, 0, 0, 0))]).toEqual([
      'ab',
      'ab',
    ]);
  });

  it('is inflated up to a bound', async () => {
    const long = 'x'.repeat(200_000);
    const deflated = new Uint8Array(deflateSync(long));
    expect(Buffer.from(await inflate(deflated, 200_000)).toString()).toBe(long);
    await expect(inflate(deflated, 199_999)).rejects.toMatchObject({ reason: 'too-large' });
    await expect(inflate(deflated.subarray(0, 20), 200_000)).rejects.toMatchObject({ reason: 'malformed' });
    await expect(inflate(text('no zlib'), 200_000)).rejects.toMatchObject({
      ...{ reason: 'malformed', message: 'A compressed text is damaged.' },
    });
  });
});

/** A reader of a file of so many bytes, each the number of its place, and which pieces were asked for. */
const reading = (
  size: number,
  bounds: { maxMetadataBytes?: number; maxParts?: number } = {},
  ends = size,
) => {
  const asked: string[] = [];
  const read = (start: number, end: number) => {
    asked.push(`${start}-${end}`);
    return Uint8Array.from({ length: Math.min(end, ends) - start }, (_, at) => (start + at) % 256);
  };
  const reader = createByteReader({ size, read }, { maxMetadataBytes: 1_000, maxParts: 1_000, ...bounds });
  return { reader, asked };
};

describe('a reader of a file', () => {
  it('reads ahead, ever less, and asks for nothing that it has', async () => {
    const { reader, asked } = reading(1_000_000);
    expect((await reader.peek(0, 4)).raw).toEqual(bytesOf(0, 1, 2, 3));
    expect((await reader.peek(4_000, 4)).length).toBe(4);
    expect(asked).toEqual([`0-${4 + 4_096}`]);
    expect((await reader.peek(4_098, 4)).raw[0]).toBe(2);
    expect(asked[1]).toBe(`4098-${4_102 + 3_072}`);
    // Back before what it has.
    await reader.peek(4_097, 1);
    expect(asked[2]).toBe(`4097-${4_098 + 2_304}`);
  });

  it('gives fewer bytes where the file ends', async () => {
    const { reader, asked } = reading(10);
    expect([
      (await reader.peek(8, 4)).length,
      (await reader.peek(10, 4)).length,
      (await reader.peek(99, 1)).length,
    ]).toEqual([2, 0, 0]);
    expect(asked).toEqual(['8-10']);
  });

  it('reads so many headers, and so many bytes of them', async () => {
    const { reader } = reading(1_000_000, { maxParts: 2 });
    await reader.header(0, 4);
    await reader.header(8, 4);
    await expect(reader.header(16, 4)).rejects.toMatchObject({
      ...{
        reason: 'too-many-parts',
        message: expect.stringContaining('It has more than 2 parts, the bound') as string,
      },
    });
    const beside = reading(1_000_000, { maxParts: 2 });
    await beside.reader.peek(0, 65_536 - 4_096);
    await expect(beside.reader.peek(500_000, 1)).rejects.toMatchObject({
      ...{
        reason: 'too-many-parts',
        message: expect.stringContaining('more than 65536 bytes of headers') as string,
      },
    });
    const many = reading(1_000_000, { maxParts: 10_000 });
    await many.reader.peek(0, 160_000 - 4_096);
    await expect(many.reader.peek(500_000, 1)).rejects.toMatchObject({ reason: 'too-many-parts' });
  });

  it('reads so many bytes of metadata, all of them or none', async () => {
    const { reader, asked } = reading(2_000, { maxMetadataBytes: 10 });
    expect((await reader.payload(1, 4)).raw).toEqual(bytesOf(1, 2, 3, 4));
    expect((await reader.payload(1, 0)).length).toBe(0);
    expect((await reader.payload(0, 6)).length).toBe(6);
    expect(asked).toEqual(['1-5', '0-6']);
    await expect(reader.payload(0, 1)).rejects.toMatchObject({
      ...{
        reason: 'too-large',
        message: 'Its metadata has more than 10 bytes, the bound of maxMetadataBytes.',
      },
    });
    await expect(reading(10).reader.payload(0, -1)).rejects.toMatchObject({ reason: 'malformed' });
    expect((await reading(10).reader.payload(0, 10)).length).toBe(10);
    await expect(reading(10).reader.payload(0, 11)).rejects.toMatchObject({ reason: 'truncated' });
    await expect(reading(10, {}, 9).reader.payload(0, 10)).rejects.toMatchObject({ reason: 'truncated' });
  });

  it('takes no more than it asked for', async () => {
    const reader = createByteReader(
      { size: 4, read: () => new Uint8Array(99) },
      { maxMetadataBytes: 9, maxParts: 9 },
    );
    expect([(await reader.payload(0, 2)).length, (await reader.peek(0, 3)).length]).toEqual([2, 3]);
  });

  it.each([-1, 0.5, NaN, 2 ** 53])('refuses a source of %s bytes', (size) => {
    expect(() => reading(size)).toThrow(expect.objectContaining({ reason: 'unreadable' }) as Error);
  });

  it('reads every kind of source', async () => {
    const own = { size: 1, read: () => bytesOf(7) };
    expect(rangedReader(own)).toBe(own);
    for (const source of [text('abcd'), new Uint8Array(text('abcd')).buffer, new Blob([text('abcd')])]) {
      const { size, read } = rangedReader(source);
      expect([size, Buffer.from(await read(1, 3)).toString()]).toEqual([4, 'bc']);
    }
  });
});

describe('what is found in a file', () => {
  const found = (...texts: readonly (readonly [name: string, text: string])[]) => {
    const findings = createFindings(1_000);
    for (const [name, one] of texts) findings.offer(name, one);
    return findings;
  };
  const graph = '{"1":{}}';

  it.each<readonly [string, string]>([
    ['prompt', graph],
    ['PROMPT', ` ${graph} `],
    ['prompt', JSON.stringify(graph)],
    ['prompt', JSON.stringify(JSON.stringify(JSON.stringify(graph)))],
    ['comment', `prompt:${graph}`],
    ['comment', ` Prompt: ${graph}`],
    ['comment', `{"a":1,"prompt":${graph}}`],
    ['comment', JSON.stringify(`{"prompt":${graph}}`)],
  ])('is the text of %s: %s', (name, one) => {
    const { found: all, problem, isComplete } = found([name, one]);
    expect([all, problem(), isComplete()]).toEqual([
      { prompt: { text: graph, value: { 1: {} } } },
      undefined,
      false,
    ]);
  });

  it.each<readonly [string, string]>([
    ['comment', graph],
    ['prompt', 'a cat'],
    ['prompt', '[1]'],
    ['prompt', JSON.stringify(JSON.stringify(JSON.stringify(JSON.stringify(graph))))],
    ['comment', '{"other":{}}'],
    ['comment', '"cut'],
  ])('is nothing in the text of %s: %s', (name, one) => {
    expect(found([name, one]).found).toEqual({});
  });

  it('is the first of each name, and complete with both', () => {
    const { found: all, isComplete } = found(
      ['prompt', graph],
      ['prompt', '{"2":{}}'],
      ['workflow', '{"nodes":[]}'],
    );
    expect([all.prompt?.text, all.workflow?.value, isComplete()]).toEqual([graph, { nodes: [] }, true]);
  });

  it('is no JSON, or has too many values, of which the first problem is told', () => {
    const { problem } = found(['workflow', '{"cut'], ['prompt', '{"cut']);
    expect(problem()).toEqual({ reason: 'not-json', message: 'Its workflow is not valid JSON.' });
    const large = createFindings(1_000);
    expect(large.parse(`[${'0,'.repeat(1_000_000)}0]`)).toBeUndefined();
    expect(large.problem()).toEqual({
      reason: 'too-large',
      message: 'Its text has more than 1000000 JSON values.',
    });
    expect(large.parse('5')).toBe(5);
  });

  it('is noted once', () => {
    const { note, noted } = createFindings(1_000);
    expect(noted()).toBeUndefined();
    note({ reason: 'not-utf-8', message: 'a' });
    note({ reason: 'not-utf-8', message: 'b' });
    expect(noted()?.message).toBe('a');
  });

  it('is inflated up to the bound of all metadata together', async () => {
    const { inflate: inflated } = createFindings(1_500);
    const deflated = new Uint8Array(deflateSync('x'.repeat(1_000)));
    expect(await inflated(deflated)).toHaveLength(1_000);
    await expect(inflated(deflated)).rejects.toMatchObject({ reason: 'too-large' });
  });

  it('begins like one of ours', () => {
    const heads = [' {', '"', 'prompt:', ' WORKFLOW: x', 'prompts', 'a cat', ''];
    expect(heads.map((head) => looksLikeOurs(text(head)))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('is read whole only where it may be ours', async () => {
    for (const [name, one, isRead] of [
      ['comment', `            ${graph}`, false],
      ['comment', `workflow:  ${graph}`, true],
      ['prompt', `            ${graph}`, true],
    ] as const) {
      const { found: all, ...findings } = createFindings(1_000);
      const bytes = text(`--${one}--`);
      await offerAt(readerOf(bytes), { found: all, ...findings }, name, [2, bytes.length - 2]);
      expect([name, one, Object.keys(all).length > 0]).toEqual([name, one, isRead]);
    }
  });
});

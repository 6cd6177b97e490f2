import { describe, expect, it } from 'vitest';
import { encodeMp4 } from '../../../../src/emulator/engine/files/mp4.js';
import { testPicture } from '../run-node.js';

interface Box {
  readonly type: string;
  readonly at: number;
  readonly body: Buffer;
}

const boxesOf = (bytes: Buffer, offset = 0): readonly Box[] => {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = bytes.readUInt32BE(at);
    boxes.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      at: offset + at,
      body: bytes.subarray(at + 8, at + size),
    });
    at += size;
  }
  return boxes;
};

const find = (bytes: Buffer, ...path: readonly string[]): Buffer =>
  path.reduce((body, type) => {
    const found = boxesOf(body).find((candidate) => candidate.type === type);
    if (!found) throw new Error(`no box ${type}`);
    return found.body;
  }, bytes);

const file = Buffer.from(
  encodeMp4(
    [0, 40, 80].map((shift) => testPicture(48, 32, shift)),
    { framesPerSecond: 12.5, text: { prompt: '{"1":"☃"}', workflow: '{}' } },
  ),
);
const table = find(file, 'moov', 'trak', 'mdia', 'minf', 'stbl');

describe('encodeMp4', () => {
  it('has the index before the data', () => {
    expect(boxesOf(file).map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat']);
    expect(boxesOf(find(file, 'moov')).map(({ type }) => type)).toEqual(['mvhd', 'trak', 'meta']);
    expect(boxesOf(find(file, 'moov', 'trak', 'mdia', 'minf')).map(({ type }) => type)).toEqual([
      'vmhd',
      'dinf',
      'stbl',
    ]);
    expect(boxesOf(table).map(({ type }) => type)).toEqual(['stsd', 'stts', 'stss', 'stsc', 'stsz', 'stco']);
  });

  it('tells size and duration of the picture', () => {
    const header = find(file, 'moov', 'trak', 'tkhd');
    expect([header.readUInt32BE(76) >> 16, header.readUInt32BE(80) >> 16]).toEqual([48, 32]);
    const media = find(file, 'moov', 'trak', 'mdia', 'mdhd');
    expect(media.readUInt32BE(16) / media.readUInt32BE(12)).toBeCloseTo(3 / 12.5, 6);
  });

  it('lists three samples, the first a key frame, that fill the data box exactly', () => {
    const sizes = find(table, 'stsz');
    expect(sizes.readUInt32BE(8)).toBe(3);
    const data = boxesOf(file).find(({ type }) => type === 'mdat')!;
    const lengths = [12, 16, 20].map((at) => sizes.readUInt32BE(at));
    expect(lengths.reduce((sum, length) => sum + length)).toBe(data.body.length);
    expect(find(table, 'stco').readUInt32BE(8)).toBe(data.at + 8);
    expect([find(table, 'stss').readUInt32BE(4), find(table, 'stss').readUInt32BE(8)]).toEqual([1, 1]);
  });

  it('begins each sample with the length of its one unit', () => {
    const sizes = find(table, 'stsz');
    let at = find(table, 'stco').readUInt32BE(8);
    const types = [12, 16, 20].map((place) => {
      const size = sizes.readUInt32BE(place);
      expect(file.readUInt32BE(at)).toBe(size - 4);
      const type = file.readUInt8(at + 4) & 31;
      at += size;
      return type;
    });
    expect(types).toEqual([5, 1, 1]);
  });

  it('describes the codec as avc1 with both parameter sets', () => {
    const entry = find(table, 'stsd').subarray(8);
    expect(entry.toString('latin1', 4, 8)).toBe('avc1');
    const configuration = find(entry.subarray(8 + 78), 'avcC');
    expect([...configuration.subarray(0, 6)]).toEqual([1, 66, 0xc0, 40, 0xff, 0xe1]);
    const length = configuration.readUInt16BE(6);
    expect(configuration.readUInt8(8) & 31).toBe(7);
    expect(configuration.readUInt8(8 + length)).toBe(1);
    expect(configuration.readUInt8(8 + length + 3) & 31).toBe(8);
  });

  it('carries the texts by key', () => {
    const keys = find(file, 'moov', 'meta', 'keys').subarray(8);
    expect(boxesOf(keys).map(({ body }) => body.toString('utf8'))).toEqual(['prompt', 'workflow']);
    const items = boxesOf(find(file, 'moov', 'meta', 'ilst'));
    expect(items.map(({ body }) => find(body, 'data').toString('utf8', 8))).toEqual(['{"1":"☃"}', '{}']);
  });

  it('has no metadata box without texts', () => {
    const plain = Buffer.from(encodeMp4([testPicture(16, 16)]));
    expect(boxesOf(find(plain, 'moov')).map(({ type }) => type)).toEqual(['mvhd', 'trak']);
  });
});

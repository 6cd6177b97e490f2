import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  hashOfBytes,
  hashOfName,
  inputFile,
  inputFilesIn,
  withInputFiles,
} from '../../../src/server/queue/servers/input-file.js';

const hash = 'ab'.repeat(32);
const other = 'cd'.repeat(32);

describe('a file of a queue', () => {
  it('is named by its bytes, with the extension of its own name', () => {
    const bytes = new Uint8Array([1, 2]);
    expect(hashOfBytes(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
    const named = (filename: string) => inputFile(hash, filename).name.slice('promptwire-'.length + 64);
    expect(inputFile(hash, 'a.png')).toEqual({
      name: `promptwire-${hash}.png`,
      subfolder: '',
      type: 'input',
    });
    expect(['a.tar.gz', 'a', 'a.', 'a.b c', 'a.123456789', 'a.12345678', '.jpg/x'].map(named)).toEqual([
      ...['.gz', '', '', '', '', '.12345678', ''],
    ]);
  });

  it('is known by its name alone', () => {
    expect([`promptwire-${hash}`, `promptwire-${hash}.png`].map(hashOfName)).toEqual([hash, hash]);
    const others = [
      ...[
        `promptwire-${hash}.`,
        `promptwire-${hash}.a.b`,
        `promptwire-${hash}0`,
        `promptwire-${hash.toUpperCase()}`,
      ],
      ...[
        `in/promptwire-${hash}`,
        `promptwire-${hash}.png [output]`,
        `promptwire-${hash}.123456789`,
        'a.png',
      ],
    ];
    expect(others.map(hashOfName)).toEqual(others.map(() => undefined));
  });
});

describe('the files of a queue in a workflow', () => {
  const workflow = (image: unknown, mask: unknown) => ({
    1: { class_type: 'LoadImage', inputs: { image, scale: 2 }, _meta: { title: 'Photo' } },
    2: { class_type: 'LoadMask', inputs: { image: mask, link: ['1', 0] } },
  });

  it('are found once each, by their hashes', () => {
    const names = [`promptwire-${hash}.png`, `promptwire-${other}`] as const;
    expect(inputFilesIn(workflow(names[0], names[1]) as never)).toEqual([
      { name: names[0], hash },
      { name: names[1], hash: other },
    ]);
    expect(inputFilesIn(workflow(names[0], names[0]) as never)).toHaveLength(1);
    expect(inputFilesIn(workflow('a.png', 3) as never)).toEqual([]);
  });

  it('are replaced where they stand, and nothing else is', () => {
    const value = { __type: 'core/ASSET' };
    const given = workflow('a', 'b');
    expect(withInputFiles(given as never, new Map([['a', value]]))).toEqual(workflow(value, 'b'));
    expect(given).toEqual(workflow('a', 'b'));
  });
});

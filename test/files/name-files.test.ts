import { collisionKey, type TakenNames, uniqueName } from '../../src/core/names/unique-name.js';
import { namedFiles } from '../../src/core/files/name-files.js';
import { describe, expect, it } from 'vitest';
import { outputNamed } from '../helpers/file-service.js';

describe('namedFiles', () => {
  const outputs = { 9: { images: [{ filename: 'a.png' }, { filename: '../A.png' }] } };
  const named = [
    { file: { nodeId: '9', filename: 'a.png', type: 'output' }, index: 0, name: 'a.png' },
    { file: { nodeId: '9', filename: '../A.png', type: 'output' }, index: 1, name: 'A~2.png' },
  ];

  it.each([
    ['outputs', outputs],
    ["a job's state", { promptId: 'p', outputs }],
    ['a list of files', [outputNamed('a.png'), outputNamed('../A.png')]],
  ])('names every file of %s safely and differently', (_, source) => {
    expect(namedFiles(source, {})).toMatchObject(named);
  });

  it('takes outputs of a node whose id is promptId for outputs', () => {
    const files = namedFiles({ promptId: { images: [{ filename: 'a.png' }] } }, {});
    expect(files.map(({ file }) => file.nodeId)).toEqual(['promptId']);
  });

  it('names each file to show at the node that the state knows for it', () => {
    const nodes = { 9: { displayNodeId: '3' } };
    expect(namedFiles({ promptId: 'p', outputs, nodes }, {})[0]?.file.displayNodeId).toBe('3');
  });

  it('asks for each file with its job, and counts those that are kept', () => {
    const asked: unknown[] = [];
    const job = { promptId: 'p', outputs };
    const files = namedFiles(job, {
      filter: ({ filename }, of) => {
        asked.push(of);
        return filename !== 'a.png';
      },
      name: ({ filename }, of, index) => `${of.promptId}-${index}-${filename.slice(3)}`,
    });
    expect(asked).toEqual([job, job]);
    expect(files).toMatchObject([{ file: { filename: '../A.png' }, index: 0, name: 'p-0-A.png' }]);
    namedFiles(outputs, { filter: (_, of) => asked.push(of) > 0 });
    expect(asked.slice(2)).toEqual([undefined, undefined]);
  });
});

describe('uniqueName', () => {
  it('numbers names that would meet, whatever their case and composition', () => {
    const taken: TakenNames = new Map();
    const names = [
      'A.png',
      'a.png',
      'a~2.png',
      '\u00e9',
      'e\u0301',
      'b',
      '.hidden',
      '.hidden',
      'B',
      'c.d.png',
      'c.d.png',
      'b',
      'e~2',
      'e',
      'e',
      'e',
    ];
    expect(names.map((name) => uniqueName(name, taken))).toEqual([
      'A.png',
      'a~2.png',
      'a~2~2.png',
      '\u00e9',
      'e\u0301~2',
      'b',
      '.hidden',
      '.hidden~2',
      'B~2',
      'c.d.png',
      'c.d~2.png',
      'b~3',
      'e~2',
      'e',
      'e~3',
      'e~4',
    ]);
  });
});

/** The first three planes have every character with another case or composition. */
const changing: readonly string[] = Array.from({ length: 0x3_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((name) =>
    [name.toUpperCase(), name.toLowerCase(), name.normalize('NFKD')].some((other) => other !== name),
  );

describe('collisionKey', () => {
  it.each([
    ['upper case', (name: string) => name.toUpperCase()],
    ['lower case', (name: string) => name.toLowerCase()],
    ['the lower case of its upper case', (name: string) => name.toUpperCase().toLowerCase()],
    ['the upper case of its lower case', (name: string) => name.toLowerCase().toUpperCase()],
    ['parts', (name: string) => name.normalize('NFD')],
    ['compatible parts', (name: string) => name.normalize('NFKD')],
    ['one piece', (name: string) => name.normalize('NFKC')],
  ])('G15: law: every character meets itself in %s', (_, other) => {
    const apart = changing.filter((name) => collisionKey(name) !== collisionKey(other(name)));
    expect(apart).toEqual([]);
  });

  it('keeps other names apart', () => {
    const names = ['a', 'b', 'ä', '1', 'a.png', 'a~2.png', 'β', 'ж', '日'];
    expect(new Set(names.map(collisionKey)).size).toBe(names.length);
  });
});

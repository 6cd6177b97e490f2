import { describe, expect, it } from 'vitest';
import { type OutputFile, safeFileName, type Workflow } from '../../../src/index.js';
import { nameOutputs } from '../../../src/workflow.js';
import { codeOf, tableUnder } from '../../cli/helpers/cli-docs.js';
import { placeholders } from '../../../src/workflow/outputs/name-pattern.js';
import { seedOf } from '../../../src/workflow/outputs/seed-of.js';
import { textToImageWorkflow } from '../../../src/emulator.js';

const file = (filename: string, parts: Partial<OutputFile> = {}): OutputFile => ({
  nodeId: '9',
  filename,
  subfolder: '',
  type: 'output',
  mediaType: 'image/png',
  ...parts,
});
const hash = 'ab'.repeat(32);
const workflow = textToImageWorkflow({ seed: 7 });
const job = { promptId: 'ab-1', startedAt: Date.UTC(2026, 10, 26, 19, 2, 3), queuedAt: 1, endedAt: 2 };
type Options = Parameters<typeof nameOutputs>[1];
const namesOf = (files: readonly OutputFile[], options: Options = {}) =>
  nameOutputs(files, { workflow, job, ...options }).map(({ name }) => name);
const titled = (title: string): Workflow => ({
  9: { class_type: 'SaveImage', inputs: {}, _meta: { title } },
});

describe('nameOutputs', () => {
  it('keeps the service’s name, unless it is a hash alone', () => {
    expect(namesOf([file('promptwire_00001_.png'), file(`${hash}.png`)])).toEqual([
      'promptwire_00001_.png',
      'Save-2.png',
    ]);
  });

  it.each(['f'.repeat(31), `${hash}-x`, `x${hash}`, `${'a'.repeat(31)}g`])(
    'keeps %s, which is no hash alone',
    (stem) => {
      expect(namesOf([file(`${stem}.png`)])).toEqual([`${stem}.png`]);
    },
  );

  it.each(['f'.repeat(32), 'AB'.repeat(32), '09'.repeat(20)])('takes %s for a hash', (stem) => {
    expect(namesOf([file(`${stem}.png`)])).toEqual(['Save-1.png']);
  });

  it('calls a file after the class of its node where that has no title, and after its id without either', () => {
    const titleOf = (node: object) =>
      nameOutputs([file('a.png')], { workflow: { 9: node } as never })[0]?.title;
    expect([titleOf({ class_type: 'SaveImage', inputs: {} }), titleOf({})]).toEqual(['SaveImage', '9']);
    expect(nameOutputs([file('a.png', { displayNodeId: '4' })])[0]?.title).toBe('4');
  });

  it('names a hash by its node where the workflow is not known', () => {
    expect(namesOf([file(hash)], { workflow: undefined })).toEqual(['node_9-1']);
  });

  it.each([
    ['{title}-{seed}-{index}', 'Save-7-1.png'],
    ['{prompt}_{node}_{class}_{name}', 'ab-1_9_SaveImage_cat.png'],
    ['{date} {time} {kind}', '2026-11-26 19-02-03 image.png'],
    ['{name}.{ext}', 'cat.png'],
    ['cat.PNG', 'cat.PNG'],
    ['cat.jpg', 'cat.jpg.png'],
  ])('makes of %s the name %s, and keeps the extension', (pattern, name) => {
    expect(namesOf([file('cat.png')], { pattern })).toEqual([name]);
  });

  it('adds no point to a file without an extension', () => {
    expect(namesOf([file('cat')], { pattern: '{name}' })).toEqual(['cat']);
  });

  it('tells title, kind, seed and time beside what the file had', () => {
    const sound = { ...file('a.flac', { mediaType: 'audio/flac' }), blob: () => 'its bytes' };
    const [named] = nameOutputs([sound], { workflow, job, firstIndex: 3 });
    expect(named).toMatchObject({ title: 'Save', kind: 'audio', index: 3, seed: '7', madeAt: job.startedAt });
    expect(named?.blob()).toBe('its bytes');
  });

  it('takes title and seed from the node of the workflow that a run-time node belongs to', () => {
    const files = [file('a.png', { nodeId: '9.0.1', displayNodeId: '9' }), file('b.webm', { nodeId: '77' })];
    expect(namesOf(files, { pattern: '{title}-{seed}-{index}' })).toEqual([
      'Save-7-1.png',
      'node_77-7-2.webm',
    ]);
  });

  it.each([
    [{ queuedAt: 86_400_000, endedAt: 0 }, '1970-01-02'],
    [{ endedAt: 0 }, '1970-01-01'],
    [{}, 'nodate'],
    [{ startedAt: Number.NaN, queuedAt: -1, endedAt: 1e300 }, 'nodate'],
  ])('takes the first time that %j tells: %s', (times, date) => {
    expect(namesOf([file('a.png')], { job: times, pattern: '{date}' })).toEqual([`${date}.png`]);
  });

  it('says what is not known', () => {
    const pattern = '{seed}-{time}-{title}-{class}';
    expect(namesOf([file('a.png')], { workflow: {}, job: {}, pattern })).toEqual([
      'noseed-notime-node_9-node_9.png',
    ]);
  });

  it.each([
    'Save / the  picture',
    '../up',
    'C:\\x',
    'a: b?',
    '\u202Egnp.exe',
    ' .hidden. ',
    'con',
    'e\u0301',
  ])('makes a name of the title %j that every platform takes', (title) => {
    const [name = ''] = namesOf([file('a.png')], { workflow: titled(title), pattern: '{title}' });
    expect(safeFileName(name)).toBe(name);
    expect(name).not.toMatch(/[\\/\s:?\u202E]/u);
  });

  it('keeps equal names apart, and those that a disk takes for equal', () => {
    const files = [file('a.png'), file('A.png'), file('a.png')];
    expect(namesOf(files)).toEqual(['a.png', 'A~2.png', 'a~3.png']);
  });

  it('refuses a placeholder that it does not know, and lists those that it knows, without files as well', () => {
    expect(() => nameOutputs([], { pattern: '{title}-{sed}' })).toThrow(
      expect.objectContaining({
        _tag: 'InvalidConfig',
        option: 'name',
        message: `{sed} is not known; the placeholders are ${placeholders.map((name) => `{${name}}`).join(', ')}.`,
      }) as Error,
    );
  });

  it.each(['', '  ', 'a/{name}', 'a\\{name}'])('refuses %j', (pattern) => {
    expect(() => nameOutputs([], { pattern })).toThrow(/pattern/u);
  });

  it('knows the placeholders of docs/guide/command.md', () => {
    expect(tableUnder('## Names of files', 'guide').map(([name]) => codeOf(name))).toEqual(
      placeholders.map((name) => `{${name}}`),
    );
  });
});

const node = (inputs: Workflow[string]['inputs']): Workflow[string] => ({ class_type: 'Any', inputs });

describe('seedOf', () => {
  it('is the seed of the sampler that the file comes from', () => {
    expect(seedOf(textToImageWorkflow({ seed: 7 }), '9')).toBe('7');
  });

  it('is that of the nearest node upstream', () => {
    const graph = {
      1: node({ seed: 1 }),
      2: node({ noise_seed: 2, latent: ['1', 0] }),
      3: node({ images: ['2', 0], other: ['1', 0] }),
      4: node({ images: ['1', 0] }),
    };
    expect([seedOf(graph, '3'), seedOf(graph, '4')]).toEqual(['2', '1']);
  });

  it('is the value of a node that the seed links to, also as text', () => {
    const graph = { 1: node({ value: '18446744073709551615' }), 2: node({ seed: ['1', 0] }) };
    expect(seedOf(graph, '2')).toBe('18446744073709551615');
  });

  it('is any seed of the workflow where the node has none behind it, and none where no node has', () => {
    expect(seedOf({ 1: node({ seed: 5 }), 2: node({}) }, '2')).toBe('5');
    expect(
      seedOf({ 1: node({ seed: 'none' }), 2: node({ images: ['1', 0], again: ['2', 0] }) }, '2'),
    ).toBeUndefined();
  });

  it.each(['x12', '12x', '1 2', '', '1'.repeat(21)])('is no text such as %j', (seed) => {
    expect(seedOf({ 1: node({ seed }) }, '1')).toBeUndefined();
  });

  it('is no number that was rounded', () => {
    expect(seedOf({ 1: node({ seed: 2 ** 60 }) }, '1')).toBeUndefined();
  });
});

import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import {
  integer,
  positive,
  repeated,
  requestsOf,
  withConnection,
  withFrom,
  withRequests,
  withSaving,
  withWatching,
} from '../../../src/cli/commands/common-options.js';

/** The options that a command reads of these arguments. */
const read = (adds: (command: Command) => Command, ...argv: readonly string[]): unknown =>
  adds(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .parse([...argv], { from: 'user' })
    .opts();

describe('the options of a connection', () => {
  it('are none by default', () => {
    expect(read(withConnection)).toEqual({});
  });

  it('are read by their names, and headers as often as they are given', () => {
    const argv = [
      ...['--json', '--base-url', 'http://a', '--key-file', '-', '--header', 'A: b', '--header', 'C: d'],
      ...['--dialect', 'v2', '--auth', 'bearer', '--workspace', 'w', '--allow-clear-text'],
      ...['--max-answer-bytes', '5', '--max-message-bytes', '6'],
    ];
    expect(read(withConnection, ...argv)).toEqual({
      ...{ json: true, baseUrl: 'http://a', keyFile: '-', header: ['A: b', 'C: d'] },
      ...{ dialect: 'v2', auth: 'bearer', workspace: 'w', allowClearText: true },
      ...{ maxAnswerBytes: 5, maxMessageBytes: 6 },
    });
    expect(['cloud', 'local'].map((dialect) => read(withConnection, '--dialect', dialect))).toEqual([
      { dialect: 'cloud' },
      { dialect: 'local' },
    ]);
    expect(read(withConnection, '--auth', 'key')).toEqual({ auth: 'key' });
  });

  it.each([
    ['--dialect', 'own'],
    ['--auth', 'basic'],
    ['--max-answer-bytes', '0'],
    ['--max-message-bytes', 'x'],
  ])('refuse %s %s', (...argv) => {
    expect(() => read(withConnection, ...argv)).toThrow();
  });
});

describe('the options of a file', () => {
  it('choose between its two workflows, and bound the search', () => {
    expect(read(withFrom)).toEqual({});
    for (const from of ['prompt', 'workflow']) expect(read(withFrom, '--from', from)).toEqual({ from });
    expect(read(withFrom, '--max-metadata-bytes', '5', '--max-parts', '6')).toEqual({
      ...{ maxMetadataBytes: 5, maxParts: 6 },
    });
    expect(() => read(withFrom, '--from', 'both')).toThrow();
    expect(() => read(withFrom, '--max-parts', '-1')).toThrow();
  });
});

describe('the options of a submission', () => {
  it('are read, targets and labels as often as they are given', () => {
    expect(read(withRequests)).toEqual({});
    const argv = ['--target', '1', '--target', '2', '--front', '--label', 'a=b', '--label', 'c=d'];
    expect(read(withRequests, ...argv)).toEqual({ target: ['1', '2'], front: true, label: ['a=b', 'c=d'] });
    for (const previewMethod of ['default', 'none', 'auto', 'latent2rgb', 'taesd'])
      expect(read(withRequests, '--preview-method', previewMethod)).toEqual({ previewMethod });
    expect(() => read(withRequests, '--preview-method', 'all')).toThrow();
  });

  it('ask for what is given alone', () => {
    expect(requestsOf({})).toEqual({});
    expect(
      requestsOf({ target: ['1'], front: true, label: ['a=b', 'c=d=e', 'f='], previewMethod: 'none' }),
    ).toEqual({ targets: ['1'], front: true, labels: { a: 'b', c: 'd=e', f: '' }, previewMethod: 'none' });
  });

  it.each(['a', '=b', ''])('take no label such as %j', (label) => {
    expect(() => requestsOf({ label: [label] })).toThrow(
      `--label takes key=value, and not ${JSON.stringify(label)}`,
    );
  });
});

describe('the options of files to save', () => {
  it('name the folder outputs, unless another one is given', () => {
    expect(read(withSaving)).toEqual({ out: 'outputs' });
    expect(read(withSaving, '--out', 'x', '--include', 'temp', '--name', '{title}')).toEqual({
      ...{ out: 'x', include: 'temp', name: '{title}' },
    });
    expect(() => read(withSaving, '--include', 'input')).toThrow();
    for (const blank of ['', ' ', '\t']) expect(() => read(withSaving, '--out', blank)).toThrow('blank');
    expect(() => read(withSaving, '--name', '{titel}')).toThrow();
  });

  it('are those of watching as well, which can be without pictures and end in time', () => {
    expect(read(withWatching)).toEqual({ out: 'outputs', preview: true });
    expect(read(withWatching, '--no-preview', '--timeout', '0.5')).toEqual({
      ...{ out: 'outputs', preview: false, timeout: 0.5 },
    });
    expect(() => read(withWatching, '--timeout', '0')).toThrow();
  });
});

describe('numbers of options', () => {
  it('are above 0', () => {
    expect(['1', '0.5', '1e3', ' 7 ', 'Infinity'].map(positive)).toEqual([1, 0.5, 1_000, 7, Infinity]);
    for (const text of ['0', '-1', '', ' ', 'x', 'NaN']) expect(() => positive(text)).toThrow('above 0');
  });

  it('are integers up to a bound', () => {
    expect(['0', '7', '10'].map(integer(10))).toEqual([0, 7, 10]);
    for (const text of ['11', '-1', '1.5', '', ' 1', '1e1', '0x1', 'x'])
      expect(() => integer(10)(text)).toThrow('It is an integer from 0 to 10.');
  });
});

it('an option that may be repeated keeps the order', () => {
  expect(repeated('a', undefined)).toEqual(['a']);
  expect(repeated('c', ['a', 'b'])).toEqual(['a', 'b', 'c']);
});

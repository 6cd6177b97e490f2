import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { lostNumbers, readJson, readText, sourceOf } from '../../../src/cli/input/read-json.js';

describe('readJson', () => {
  const sourceWith = (...chunks: readonly unknown[]) => ({
    stdin: Readable.from(chunks),
    stop: new AbortController().signal,
  });

  it('reads standard input for `-`, and what of it is lost', async () => {
    expect(await readJson('-', sourceWith('\uFEFF{"a":', ' 1e999}'))).toEqual({
      value: { a: Infinity },
      lost: [{ text: '1e999', path: ['a'], line: 1 }],
    });
  });

  it('says which input is no JSON, or can not be read', async () => {
    await expect(readJson('-', sourceWith('{'))).rejects.toThrow(/^standard input is not JSON: ./u);
    const file = join(import.meta.dirname, 'read-json.test.ts');
    await expect(readJson(file, sourceWith())).rejects.toThrow(`${file} is not JSON: `);
    await expect(readText('/none/at-all', sourceWith())).rejects.toThrow(
      "can't read /none/at-all: there is no such file",
    );
  });

  it('ends its wait with the command', async () => {
    const source = { stdin: new Readable({ read: () => undefined }), stop: AbortSignal.abort() };
    await expect(readText('-', source)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('has the bounds and warnings of the command', () => {
    const events: unknown[] = [];
    const { stdin, stop } = sourceWith();
    const session = { io: { stdin }, stop, report: (event: unknown) => void events.push(event) };
    const { warn, ...source } = sourceOf(session, { maxMetadataBytes: 5, maxParts: 6 });
    expect(source).toEqual({ stdin, stop, maxMetadataBytes: 5, maxParts: 6 });
    warn?.('odd');
    expect(events).toEqual([{ kind: 'warning', message: 'odd' }]);
  });
});

describe('lostNumbers', () => {
  it('finds each with its path and line', () => {
    const text = [
      '{ "3": { "class_type": "KSampler",',
      '    "inputs": { "seed": 18446744073709551615, "cfg": 1e400, "model": ["4", 0] } },',
      '  "a \\"b": { "list": [1, [2, -1e400], 1e999] } }',
    ].join('\n');
    expect(lostNumbers(text)).toEqual([
      { text: '1e400', path: ['3', 'inputs', 'cfg'], line: 2 },
      { text: '-1e400', path: ['a "b', 'list', '1', '1'], line: 3 },
      { text: '1e999', path: ['a "b', 'list', '2'], line: 3 },
    ]);
  });

  it.each([
    '"1e999"',
    '{"1e999":1}',
    '[18446744073709551615, -9007199254740993]',
    '{"a":"\\\\","b":"\\"1e999"}',
    '9007199254740991',
    '[0.1234567890123456789, 1e20, -0, 1E-9]',
    '[true,false,null,{},[],""]',
  ])('finds none in %s', (text) => {
    expect(lostNumbers(text)).toEqual([]);
  });

  it('looks behind a text of many megabytes', () => {
    const picture = `${'\\"'.repeat(1_000_000)}${'a'.repeat(8_000_000)}`;
    expect(lostNumbers(`{"a":"${picture}","b":1e999}`)).toEqual([{ text: '1e999', path: ['b'], line: 1 }]);
  });

  it('H20: takes from a long text no more than from a short one, for each number', () => {
    const takenFrom = (count: number): number => {
      let taken = 0;
      // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own object
      const { slice } = String.prototype;
      const spy = vi.spyOn(String.prototype, 'slice').mockImplementation(function (this: string, from, to) {
        const part = slice.call(this, from, to);
        taken += part.length;
        return part;
      });
      const lost = lostNumbers(`[${Array.from({ length: count }, () => '1e999').join(',\n')}]`);
      spy.mockRestore();
      expect(lost).toHaveLength(count);
      expect(lost.at(-1)).toMatchObject({ line: count, path: [String(count - 1)] });
      return taken;
    };
    expect(takenFrom(5_000) / takenFrom(500)).toBeLessThan(11);
  });
});

import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { EventLines } from '../../../src/cli/report/event-lines.js';
import { printEvent, valueLength } from '../../../src/cli/report/print-event.js';
import type { PaintOptions } from '../../../src/cli/terminal/line.js';
import { textIn } from '../helpers/text-in.js';

const printed = (lines: EventLines, showsResults: boolean, options: Partial<PaintOptions> = {}) => {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  printEvent({ stdout, stderr, showsResults }, lines, { colour: false, ...options });
  return { stdout: textIn(stdout), stderr: textIn(stderr) };
};
const [toTerminal, toPipe] = [true, false];
const redact = (text: string): string => text.replaceAll('hush', '[redacted]');
const hint =
  'Warning: the result holds a key, which is [redacted] here; where the command takes --output, that file has it whole\n';

describe('printEvent', () => {
  it('prints nothing of an event that says nothing', () => {
    expect(printed({}, toTerminal)).toEqual({ stdout: '', stderr: '' });
    expect(printed({ data: '' }, toPipe)).toEqual({ stdout: '', stderr: '' });
  });

  it.each([toTerminal, toPipe])('keeps notes apart from results: %s', (showsResults) => {
    const lines = { notes: [['one'], ['two']], results: [['a'], ['b']], data: 'c' };
    expect(printed(lines, showsResults)).toEqual({ stdout: 'a\nb\nc\n', stderr: 'one\ntwo\n' });
  });

  it('colours notes, and no result', () => {
    const line = [{ text: 'bad', style: 'red' } as const];
    const { stdout, stderr } = printed({ notes: [line], results: [line] }, toTerminal, { colour: true });
    expect([stdout, stderr]).toEqual(['bad\n', '\u001B[31mbad\u001B[39m\n']);
  });

  it('cuts a line that is endless for a person, and none for a program', () => {
    const results = [['x'.repeat(70_000)]];
    expect(printed({ results }, toTerminal).stdout).toHaveLength(65_536 + '…\n'.length);
    expect(printed({ results }, toPipe).stdout).toHaveLength(70_001);
  });

  it('gives a program the data byte for byte, and a terminal the same as escapes, without what acts on it', () => {
    const data = '{"a": "\u202E",\n "b": "\u001B[2J"}';
    expect(printed({ data }, toPipe).stdout).toBe(`${data}\n`);
    expect(printed({ data }, toTerminal).stdout).toBe('{"a": "\\u202e",\n "b": ""}\n');
  });

  it('gives a terminal the whole of the data', () => {
    expect(printed({ data: 'x'.repeat(70_000) }, toTerminal).stdout).toHaveLength(70_001);
  });

  it.each([toTerminal, toPipe])('shows no secret, and says where data lack it: %s', (showsResults) => {
    const lines = { notes: [['note hush']], results: [['result hush']], data: 'data hush' };
    expect(printed(lines, showsResults, { redact })).toEqual({
      stdout: 'result [redacted]\ndata [redacted]\n',
      stderr: `note [redacted]\n${hint}`,
    });
    expect(printed({ data: 'data' }, showsResults, { redact })).toEqual({ stdout: 'data\n', stderr: '' });
  });

  it('marks the word that data lack a secret', () => {
    const { stderr } = printed({ data: 'hush' }, toTerminal, { redact, colour: true });
    expect(stderr).toContain('\u001B[33mWarning: \u001B[39m');
  });
});

it('values are shortened for a person alone', () => {
  expect([valueLength({ showsResults: true }), valueLength({ showsResults: false })]).toEqual([
    200,
    Infinity,
  ]);
});

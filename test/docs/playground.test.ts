import { describe, expect, it } from 'vitest';
import { examples } from '../../docs/playground/examples.js';
import { pictureOf } from '../../docs/playground/picture.js';
import { runProgram } from '../../docs/playground/run-program.js';

describe('the playground', () => {
  it.each(examples)('plays $name to its end', async ({ code }) => {
    const { frames, result } = await runProgram(code);

    expect(frames.map(({ label }) => label)).toEqual(expect.arrayContaining(['go', 'p', 'pv', 'out', 'ok']));
    expect(result.filter(({ kind }) => kind === 'next')).not.toEqual([]);
    expect(result.at(-1)).toMatchObject({ kind: 'complete' });
  });

  it('tells when what happened, in the time of the job', async () => {
    const { result } = await runProgram(
      `client.run(workflow).pipe(map(({ phase }) => phase), distinctUntilChanged())`,
    );
    expect(result.map(({ text }) => text)).toEqual([
      'submitting',
      'pending',
      'in_progress',
      'completed',
      'completed',
    ]);
    expect(result.map(({ atMs }) => atMs)).toEqual(result.map(({ atMs }) => atMs).sort((a, b) => a - b));
  });

  it.each([
    ['client.run(', 'SyntaxError'],
    ['client.walk(workflow)', 'TypeError'],
    ['42', 'The program makes number, and no Observable.'],
  ])('says what is wrong with %s', async (code, message) => {
    await expect(runProgram(code)).rejects.toThrow(
      message === 'SyntaxError' ? SyntaxError : message === 'TypeError' ? TypeError : message,
    );
  });

  it('keeps what a program that never ends has said', async () => {
    const { result } = await runProgram('interval(100, scheduler)');
    expect(result).toHaveLength(60);
  });

  it('shows an error of the stream in the diagram', async () => {
    const played = await runProgram(`throwError(() => new Error('no'))`);
    expect(played.result).toEqual([{ atMs: 0, kind: 'error', label: '', text: 'no' }]);
    expect(pictureOf(played)).toContain('#b3261e');
  });
});

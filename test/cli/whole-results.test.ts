import { describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { jsonLines } from './helpers/json-lines.js';
import { mkdir, readFile } from 'node:fs/promises';
import { workspace } from './helpers/workspace.js';

/** Longer than a line for a person, with tags, a direction mark, a C1 control and an escape sequence. */
const text = `${'long '.repeat(20_000)}\u{E0067}\u{E007F}\u202E\u0085\u001B[31m \t end  `;
const workflow = { '1': { class_type: 'SlowNode', inputs: { steps: 3, text } } };

describe('results of the command', () => {
  it.each(['pipe', 'terminal'])('P1: convert prints the whole workflow to a %s', async (where) => {
    const { cli, dir, file } = await workspace();
    const source = await file('wf.json', workflow);
    const converting = cli(['convert', source], { showsResults: where === 'terminal' });
    expect(await converting.exit).toBe(0);
    expect(JSON.parse(converting.stdout())).toEqual(workflow);
    await cli(['convert', source, '-o', join(dir, 'api.json')]).exit;
    const saved = await readFile(join(dir, 'api.json'), 'utf8');
    expect(converting.stdout() === saved).toBe(where === 'pipe');
    expect(/[\u0085\u202E]|\u{E0067}/u.test(converting.stdout())).toBe(where === 'pipe');
  });

  it('P1: validate --fix of standard input prints the whole workflow', async () => {
    const { cli } = await workspace();
    const fixing = cli(['validate', '--fix', '-'], { stdin: JSON.stringify(workflow) });
    await fixing.exit;
    // The verdict goes to standard error: standard output is the workflow alone.
    expect(JSON.parse(fixing.stdout())).toEqual(workflow);
    expect(fixing.stderr()).toContain('Accepted');
  });

  it('P1: codegen prints the program that it writes to a file', async () => {
    const { cli, dir, file } = await workspace();
    const source = await file('wf.json', workflow);
    const writing = cli(['codegen', source]);
    expect(await writing.exit).toBe(0);
    await cli(['codegen', source, '-o', join(dir, 'job.ts')]).exit;
    expect(writing.stdout()).toBe(await readFile(join(dir, 'job.ts'), 'utf8'));
    expect(writing.stdout()).toContain('long '.repeat(20_000));
  });

  it('P1: paths of results are those of the files', async () => {
    const { cli, dir, file } = await workspace();
    const folder = join(dir, `a\u{E0067}  b\u200B`);
    await mkdir(folder);
    const path = join(folder, 'api.json');
    const converting = cli(['convert', await file('wf.json', workflow), '-o', path]);
    expect(await converting.exit).toBe(0);
    expect(converting.stdout()).toBe(`${path}\n`);
  });

  it('P1: inspect and diff show values whole where a program reads them, and shortened to a person', async () => {
    const { cli, file } = await workspace();
    const other = { '1': { class_type: 'SlowNode', inputs: { steps: 3, text: 'short' } } };
    const files = [await file('a.json', workflow), await file('b.json', other)];
    for (const argv of [
      ['inspect', files[0] ?? ''],
      ['diff', ...files],
    ]) {
      const piped = cli(argv);
      await piped.exit;
      expect(piped.stdout()).toContain(`${'long '.repeat(20_000)}\\udb40\\udc67`);
      const shown = cli(argv, { showsResults: true });
      await shown.exit;
      expect(shown.stdout().length).toBeLessThan(1000);
      const json = cli([...argv, '--json']);
      await json.exit;
      expect(JSON.stringify(jsonLines(json.stdout()))).toContain(JSON.stringify(text));
    }
  });

  it('P1: a key in a result is not shown, and the command says so', async () => {
    const { cli, env } = await workspace();
    const stdin = JSON.stringify({ '1': { class_type: 'A', inputs: { key: env['PROMPTWIRE_API_KEY'] } } });
    const converting = cli(['convert', '-'], { stdin });
    expect(await converting.exit).toBe(0);
    expect(converting.stdout()).toContain('[redacted]');
    expect(converting.stderr()).toContain('the result holds a key');
  });
});

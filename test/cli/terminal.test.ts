import { describe, expect, it } from 'vitest';
import { textToImageWorkflow } from '../../src/emulator.js';
import { screen } from './helpers/screen.js';
import { workspace } from './helpers/workspace.js';
import { failingWorkflow, slowWorkflow } from './helpers/workflows.js';

const hides = '\u001B[?25l';
const shows = '\u001B[?25h';

describe('the command on a terminal', () => {
  it.each([40, 80])('J6: leaves only what stays, in %i columns', async (columns) => {
    const { cli, dir, file } = await workspace();
    const workflow = await file('wf.json', textToImageWorkflow({ steps: 3, width: 64, height: 64 }));
    const running = cli(['run', workflow, '--include', 'temp', '--out', dir], {
      isTTY: true,
      columns,
      env: { COLORTERM: 'truecolor' },
    });
    expect(await running.exit).toBe(0);
    expect(running.stdout()).not.toContain('\u001B');
    const shown = screen(columns, 24);
    shown.feed(running.stderr().replace(/(?<!\r)\n/gu, '\r\n'));
    expect(shown.cursorVisible()).toBe(true);
    const text = shown.lines().join('');
    expect(text).toMatch(/^Submitted as [\w-]+Done in [\d.]+ s$/u);
  });

  it.each([
    ['the end of the job', 'SlowNode', undefined, 0],
    ['a failure', 'FailOnPurpose', undefined, 6],
    ['SIGINT', 'SlowNode', 'SIGINT', 130],
    ['SIGTERM', 'SlowNode', 'SIGTERM', 143],
    ['SIGHUP', 'SlowNode', 'SIGHUP', 129],
  ] as const)('J8: gives the cursor back after %s', async (_, nodeClass, signal, code) => {
    const { cli, file } = await workspace(signal === undefined ? {} : { speed: 0.5 });
    const steps = signal === undefined ? 2 : 100_000;
    const workflow = nodeClass === 'SlowNode' ? slowWorkflow(steps) : failingWorkflow('ValueError');
    const running = cli(['run', await file('wf.json', workflow)], { isTTY: true });
    await running.printed(hides);
    if (signal !== undefined) running.signal(signal);
    expect(await running.exit).toBe(code);
    expect(running.stderr().lastIndexOf(shows)).toBeGreaterThan(running.stderr().lastIndexOf(hides));
  });

  it.each([
    ['a dumb terminal', { isTTY: true, env: { TERM: 'dumb', COLORTERM: 'truecolor' } }],
    ['no terminal', { isTTY: false, env: { TERM: 'xterm-256color', COLORTERM: 'truecolor' } }],
  ])('J6: writes plain lines on %s', async (_, options) => {
    const { cli, file } = await workspace();
    const running = cli(['run', await file('wf.json', slowWorkflow(2))], options);
    expect(await running.exit).toBe(0);
    expect(running.stderr()).not.toContain('\u001B');
    expect(running.stderr()).toContain('Running\n  Slow\n');
  });

  it('shows no colours with NO_COLOR, and no pictures with --no-preview', async () => {
    const { cli, dir, file } = await workspace({ speed: 4 });
    const workflow = await file('wf.json', textToImageWorkflow({ steps: 3, width: 64, height: 64 }));
    const flags = ['run', workflow, '--out', dir, '--no-preview'];
    const running = cli(flags, { isTTY: true, env: { NO_COLOR: '1', COLORTERM: 'truecolor' } });
    expect(await running.exit).toBe(0);
    expect(running.stderr()).toContain(hides);
    expect(running.stderr()).not.toMatch(/\u001B\[[\d;]*m/u);
    expect(running.stderr()).not.toContain('▀');
  });
});

import type { CliEvent } from '../../../src/cli/report/cli-event.js';
import { PassThrough, Readable } from 'node:stream';
import { asyncScheduler, NEVER, VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { CliIo } from '../../../src/cli/cli-io.js';
import type { PictureKind } from '../../../src/cli/picture/encode-picture.js';
import { liveReporter } from '../../../src/cli/report/live-reporter.js';
import type { JobState } from '../../../src/node.js';
import { jobState, nodeState } from '../helpers/job-state.js';
import { png } from '../helpers/pictures.js';
import { screen } from '../helpers/screen.js';

const titles = new Map([['3', 'KSampler']]);

const terminal = (columns: number, rows: number, pictures: PictureKind = 'none') => {
  const shown = screen(columns, rows);
  const stream = new PassThrough();
  let written = '';
  // Terminals turn \n into \r\n.
  const feed = (text: string): void => {
    written += text;
    shown.feed(text.replace(/(?<!\r)\n/gu, '\r\n'));
  };
  stream.write = ((text: string) => {
    feed(text);
    return true;
  }) as typeof stream.write;
  const io: CliIo = {
    stdin: Readable.from([]),
    stdout: stream,
    stderr: stream,
    env: {},
    isTTY: true,
    showsResults: true,
    asks: false,
    columns: () => columns,
    rows: () => rows,
    uptimeMs: () => 1_500,
    scheduler: asyncScheduler,
    signals: NEVER,
  };
  const scheduler = new VirtualTimeScheduler();
  const reporter = liveReporter(io, { colour: true, pictures, scheduler });
  const pass = (ms: number): void => {
    scheduler.maxFrames = scheduler.now() + ms;
    scheduler.flush();
  };
  return { ...reporter, ...shown, pass, written: () => written };
};

const at = (progress: number, parts: Partial<JobState> = {}): CliEvent => ({
  kind: 'state',
  titles,
  shown: { value: progress, stage: 'running' as const, timeLeftMs: 9_000 },
  state: jobState([nodeState('3', { value: progress * 20, fraction: progress })], { progress, ...parts }),
});

const preview = (shade: number) =>
  ({
    kind: 'preview',
    preview: { _tag: 'Preview', mediaType: 'image/png', image: png(4, 4, () => [shade, 0, 0]) },
  }) as const;

describe('liveReporter', () => {
  it('draws over what it drew, in 80 columns', () => {
    const { report, pass, lines } = terminal(80, 24);
    report({ kind: 'submitted', detached: false, promptId: 'job-1', nodeErrors: {} });
    for (const progress of [0.1, 0.2, 0.25]) {
      report(at(progress));
      pass(100);
    }
    expect(lines()).toEqual([
      'Submitted as job-1',
      'Running  25 % █████████████▎░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 9.0 s left',
      '  KSampler                   5/20 ███████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░',
    ]);
  });

  it('shows no estimate while the connection is lost, and none of before once it is back', () => {
    const { report, pass, lines } = terminal(80, 24);
    report(at(0.25));
    pass(100);
    report({ kind: 'connection', promptId: 'job-1', state: 'lost', reason: 'gone' });
    pass(3_000);
    const narrow = '████████████▎░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░';
    expect(lines().at(-2)).toBe(`Running  25 % ${narrow} reconnecting …`);
    report({ kind: 'connection', promptId: 'job-1', state: 'back' });
    pass(3_000);
    const wide = '██████████████▌░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░';
    expect(lines().at(-2)).toBe(`Running  25 % ${wide} 1.5 s`);
    report(at(0.5));
    pass(100);
    expect(lines().at(-2)).toContain('9.0 s left');
  });

  it('draws over what it drew, in 40 columns, at the foot of a screen that has scrolled', () => {
    const { report, pass, lines } = terminal(40, 4);
    for (const message of ['one', 'two', 'three']) report({ kind: 'warning', message });
    report(at(0.1));
    pass(100);
    report(at(0.5));
    pass(100);
    expect(lines()).toEqual([
      'Warning: one',
      'Warning: two',
      'Warning: three',
      'Running  50 % ██████▌░░░░░░ 9.0 s left',
      '  KSampler         10/20 ██████▌░░░░░░',
    ]);
  });

  it('writes what stays above the block, results among it, and takes the block away at the end', () => {
    const { report, pass, close, lines, cursorVisible } = terminal(80, 24);
    report(at(0.5));
    pass(100);
    expect(cursorVisible()).toBe(false);
    report({ kind: 'warning', message: 'a branch was blocked' });
    report(at(0.6));
    pass(100);
    report({ kind: 'user', user: { status: 'active' } });
    report({ kind: 'end', exit: 'done', stage: 'ended', promptId: 'job-1', elapsedMs: 2_000 });
    close();
    expect(lines()).toEqual(['Warning: a branch was blocked', 'active', 'Done in 2.0 s']);
    expect(cursorVisible()).toBe(true);
  });

  it('draws at most 15 times a second, the last state always', () => {
    const { report, pass, written, lines } = terminal(80, 24);
    for (let step = 1; step <= 100; step++) report(at(step / 100));
    pass(66);
    expect(written().split('\u001B[?2026h').length - 1).toBe(2);
    expect(lines()[0]).toContain('Running 100 %');
  });

  it('goes on telling the time while nothing happens, until it is closed', () => {
    const { report, pass, close, written } = terminal(80, 24);
    report(at(0.5));
    pass(3_100);
    const drawings = written().split('\u001B[?2026h').length - 1;
    expect(drawings).toBe(4);
    close();
    const before = written();
    pass(10_000);
    expect(written()).toBe(before);
  });

  it('keeps the latest picture above the lines, drawn once, and the lines move on below it', () => {
    const { report, pass, lines, written } = terminal(40, 24, 'half-blocks');
    report(at(0.1));
    pass(100);
    for (const shade of [10, 15, 20]) report(preview(shade));
    pass(100);
    report(at(0.2));
    pass(100);
    expect(lines()).toEqual([
      '▀▀▀▀',
      '▀▀▀▀',
      'Running  20 % ██▋░░░░░░░░░░ 9.0 s left',
      '  KSampler          4/20 ██▋░░░░░░░░░░',
    ]);
    expect(written().split('38;2;20;0;0').length - 1).toBe(8);
    expect(written()).not.toContain('38;2;15;0;0');
  });

  it('takes the picture away from kitty at the end', () => {
    const { report, pass, close, written } = terminal(80, 24, 'kitty');
    report(at(0.1));
    report(preview(10));
    pass(100);
    expect(written()).toContain('\u001B_Ga=T,f=100');
    close();
    expect(written()).toContain('\u001B_Ga=d,d=I,i=7321');
  });

  it('shows no picture where the screen is too low for it', () => {
    const { report, pass, lines } = terminal(80, 10, 'half-blocks');
    report(at(0.1));
    report(preview(10));
    pass(100);
    expect(lines()).toHaveLength(2);
  });

  it('shows a download', () => {
    const { report, pass, lines } = terminal(80, 24);
    const state = { done: false, files: [], total: 2, receivedBytes: 1_234_567, expectedBytes: 2e6 };
    report({ kind: 'download', state });
    pass(100);
    expect(lines()).toEqual(['Downloading 0/2 files, 1.2 MB']);
  });
});

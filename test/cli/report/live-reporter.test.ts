import type { CliEvent } from '../../../src/cli/report/cli-event.js';
import { PassThrough, Readable } from 'node:stream';
import { asyncScheduler, NEVER, VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { CliIo } from '../../../src/cli/cli-io.js';
import type { PictureKind } from '../../../src/cli/picture/encode-picture.js';
import { liveReporter } from '../../../src/cli/report/live-reporter.js';
import type { JobState } from '../../../src/node.js';
import { jobState, nodeState } from '../helpers/job-state.js';
import { poolServer } from '../helpers/pool-server.js';
import { png } from '../helpers/pictures.js';
import { screen } from '../helpers/screen.js';

const titles = new Map([['3', 'KSampler']]);

const terminal = (
  columns: number,
  rows: number,
  pictures: PictureKind = 'none',
  { colour = true, redact }: { readonly colour?: boolean; readonly redact?: (text: string) => string } = {},
) => {
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
  const reporter = liveReporter(io, { colour, pictures, redact, scheduler });
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

  it('shows nothing before a job has a state', () => {
    const { report, pass, written } = terminal(80, 24, 'kitty');
    report(preview(10));
    report({ kind: 'connection', state: 'back' });
    pass(5_000);
    expect(written()).not.toContain('\u001B[?25l');
  });

  it('says that there is no connection yet from the first state on', () => {
    const { report, pass, lines } = terminal(80, 24);
    report({ kind: 'connection', state: 'missing' });
    report(at(0.25));
    pass(100);
    expect(lines().at(-2)).toMatch(/ reconnecting …$/u);
  });

  it('shows what the time alone has changed', () => {
    const { report, pass, lines } = terminal(80, 24);
    report({ kind: 'passed', shown: { value: 0.9, stage: 'running' } });
    pass(100);
    expect(lines()).toEqual([]);
    report(at(0.25));
    report({ kind: 'passed', shown: { value: 0.5, stage: 'running', timeLeftMs: 4_000 } });
    pass(100);
    expect(lines()[0]).toMatch(/^Running {2}50 % .* 4\.0 s left$/u);
    expect(lines()[1]).toContain('5/20');
  });

  it('says that the connection is lost where nothing else is known of the time', () => {
    const { report, pass, lines } = terminal(80, 24);
    report({ kind: 'state', titles, state: jobState([nodeState('3')]) });
    report({ kind: 'connection', promptId: 'job-1', state: 'lost' });
    pass(100);
    expect(lines().at(-2)).toMatch(/^Running {2}45 % .* reconnecting …$/u);
  });

  it('leaves the last column free, as some terminals wrap a line that fills it', () => {
    const { report, pass, lines } = terminal(40, 24);
    report({ kind: 'state', titles, state: jobState([nodeState('3', { text: 'x'.repeat(99) })]) });
    pass(100);
    expect(lines()[1]).toHaveLength(39);
    expect(lines()[1]).toMatch(/x…$/u);
  });

  it('takes the block away while a job is cancelled', () => {
    const { report, pass, lines } = terminal(80, 24);
    report(at(0.25));
    pass(100);
    report({ kind: 'cancelling', promptId: 'job-1' });
    pass(5_000);
    expect(lines()).toEqual(['Asking the service to cancel job-1 …']);
  });

  it('shows no more nodes than the screen has room for, and eight at most', () => {
    const nodes = Array.from({ length: 12 }, (_, index) => nodeState(String(index + 1)));
    const shownOn = (rows: number): readonly string[] => {
      const { report, pass, lines } = terminal(80, rows);
      report({ kind: 'state', titles, state: jobState(nodes) });
      pass(100);
      return lines().slice(1);
    };
    expect(shownOn(24)).toHaveLength(8);
    expect(shownOn(24).at(-1)).toBe('  and 5 more');
    expect(shownOn(10)).toHaveLength(7);
    expect(shownOn(10).at(-1)).toBe('  and 6 more');
    expect(shownOn(15)).toHaveLength(7);
    expect(shownOn(3)).toEqual(['  and 12 more']);
  });

  it.each([
    [14, 0],
    [15, 5],
    [24, 8],
    [42, 14],
    [90, 14],
  ])('gives a picture a third of %i rows: %i', (rows, wanted) => {
    const { report, pass, written } = terminal(80, rows, 'kitty');
    report(preview(10));
    report(at(0.1));
    pass(100);
    expect(Number(/,r=(\d+),/u.exec(written())?.[1] ?? 0)).toBe(wanted);
  });

  it('draws a picture no wider than the screen', () => {
    const { report, pass, lines } = terminal(20, 60, 'half-blocks');
    report({ kind: 'preview', preview: { ...preview(9).preview, image: png(60, 4, () => [9, 9, 9]) } });
    report(at(0.1));
    pass(100);
    expect(lines()[0]).toBe('▀'.repeat(18));
  });

  it('shows no secret, and no colours where there are none', () => {
    const redact = (text: string): string => text.replaceAll('hush', '[redacted]');
    const { report, pass, written, lines } = terminal(80, 24, 'none', { colour: false, redact });
    report({ kind: 'state', titles, state: jobState([nodeState('3', { text: 'a hush' })]) });
    report({ kind: 'warning', message: 'the hush' });
    pass(100);
    expect(lines()).toEqual([
      'Warning: the [redacted]',
      expect.anything(),
      expect.stringMatching(/a \[redacted\]$/u),
    ]);
    expect(written()).not.toMatch(/hush|\u001B\[\d+m/u);
  });
});

describe('liveReporter of many jobs', () => {
  const job = (index: number, progress: number, server?: string): CliEvent => ({
    ...{ kind: 'batch', file: `${index}.json`, index, of: 3 },
    state: { ...jobState([], { progress }), ...(server !== undefined && { server }) },
  });
  const lineOf = (file: string, server: string, rest: string): string =>
    `  ${file.padEnd(17)} ${server.padEnd(17)}${rest}`;

  it('draws each by its latest state, and goes on while files of one are saved', () => {
    const { report, pass, lines } = terminal(60, 24);
    report(job(0, 0.25, 'attic'));
    report(job(1, 0, 'cellar'));
    report(job(0, 0.5, 'attic'));
    const state = { done: false, files: [], total: 2, receivedBytes: 1, expectedBytes: 2 };
    report({ kind: 'download', state });
    pass(100);
    expect(lines()).toEqual([
      '0 of 3 jobs over, 1 to come',
      lineOf('0.json', 'attic', '  50 % ███████░░░░░░░'),
      lineOf('1.json', 'cellar', '   0 % ░░░░░░░░░░░░░░'),
    ]);
  });

  it('leaves a line of each that is over, and of the others as many as fit', () => {
    const { report, pass, lines } = terminal(60, 5);
    for (const index of [0, 1, 2]) report(job(index, 0.5, 'attic'));
    pass(100);
    expect(lines()).toHaveLength(3);
    expect(lines().at(-1)).toBe('  and 2 more');
    report({
      ...{ kind: 'batch', file: '0.json', index: 0, of: 3 },
      state: { ...jobState([], { phase: 'failed' }), server: 'attic' },
    });
    pass(100);
    expect(lines().slice(0, 2)).toEqual(['0.json: failed on attic', '1 of 3 jobs over']);
  });
});

describe('liveReporter of servers', () => {
  it('draws the table in place, and leaves the last one', () => {
    const { report, pass, close, lines, written } = terminal(120, 24);
    report({ kind: 'servers', servers: [poolServer({ done: 3 })] });
    pass(100);
    report({ kind: 'servers', servers: [poolServer({ done: 4 })] });
    pass(100);
    expect(lines()).toHaveLength(2);
    expect(lines()[1]).toMatch(/^attic +up +1 +0 +4 +0 /u);
    report({ kind: 'servers', servers: [poolServer({ done: 5 })], isLast: true });
    const last = written();
    pass(5_000);
    expect(written()).toBe(last);
    close();
    expect(lines()).toHaveLength(2);
    expect(lines()[1]).toMatch(/^attic +up +1 +0 +5 +0 /u);
  });
});

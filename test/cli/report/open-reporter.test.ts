import { PassThrough, Readable } from 'node:stream';
import { asyncScheduler, NEVER } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import type { CliEvent, Reporter } from '../../../src/cli/report/cli-event.js';
import { openReporter, type ReportFlags } from '../../../src/cli/report/open-reporter.js';
import { jobState, nodeState } from '../helpers/job-state.js';
import { png } from '../helpers/pictures.js';
import { textIn } from '../helpers/text-in.js';

interface Place {
  readonly isTTY?: boolean | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

let opened: readonly Reporter[] = [];
afterEach(() => {
  for (const { close } of opened) close();
  opened = [];
});

const redact = (text: string): string => text.replaceAll('hush', '[redacted]');

/** What a reporter writes of events at a place, before it is closed. */
const written = (
  events: readonly CliEvent[],
  { isTTY = true, env = {} }: Place = {},
  flags: ReportFlags = {},
) => {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const io = {
    ...{ stdin: Readable.from([]), stdout, stderr, env, isTTY, showsResults: false, asks: false },
    ...{ columns: () => 80, rows: () => 24, uptimeMs: () => 0 },
    ...{ scheduler: asyncScheduler, signals: NEVER },
  };
  const reporter = openReporter(io, flags, redact);
  opened = [...opened, reporter];
  events.forEach(reporter.report);
  return { stdout: textIn(stdout), stderr: textIn(stderr) };
};

const state: CliEvent = {
  kind: 'state',
  titles: new Map([['3', 'KSampler hush']]),
  state: jobState([nodeState('3')]),
};
const preview: CliEvent = {
  kind: 'preview',
  preview: { _tag: 'Preview', mediaType: 'image/png', image: png(2, 2, () => [1, 2, 3]) },
};
const warning: CliEvent = { kind: 'warning', message: 'a hush' };
const hidesCursor = '\u001B[?25l';
const colour = /\u001B\[\d+m/u;

describe('openReporter', () => {
  it('writes JSON alone where that is asked for, also on a terminal', () => {
    const { stdout, stderr } = written([state, warning], {}, { json: true });
    expect(stderr).toBe('');
    expect(stdout.trimEnd().split('\n').length).toBe(2);
    expect(JSON.parse(stdout.trimEnd().split('\n')[1] ?? '')).toEqual({
      kind: 'warning',
      message: 'a [redacted]',
    });
  });

  it('draws in place on a terminal, in colours, and shows no secret', () => {
    const { stderr } = written([state, warning]);
    expect(stderr).toContain(hidesCursor);
    expect(stderr).toMatch(colour);
    expect(stderr).toContain('KSampler [redacted]');
    expect(stderr).toContain('a [redacted]');
    expect(stderr).not.toContain('hush');
  });

  it.each([
    ['no terminal', { isTTY: false, env: { TERM: 'xterm' } }],
    ['one without cursor control', { env: { TERM: 'dumb' } }],
  ])('writes plain lines on %s, without colours or secrets', (_, place) => {
    expect(written([state, warning], place).stderr).toBe(
      'Running\n  KSampler [redacted]\n  40 %\nWarning: a [redacted]\n',
    );
  });

  it.each([
    [{ NO_COLOR: '1' }, false],
    [{ NO_COLOR: '' }, true],
  ])('colours as NO_COLOR says: %o', (env, isColoured) => {
    const { stderr } = written([state], { env });
    expect(stderr).toContain(hidesCursor);
    expect(colour.test(stderr)).toBe(isColoured);
  });

  it('shows pictures where the terminal can and nobody refuses them', () => {
    const place = { env: { COLORTERM: 'truecolor' } };
    expect(written([preview, state], place).stderr).toContain('▀');
    expect(written([preview, state], place, { preview: false }).stderr).not.toContain('▀');
    expect(written([preview, state]).stderr).not.toContain('▀');
  });
});

import { describe, expect, it } from 'vitest';
import type { EndEvent } from '../../../src/cli/report/cli-event.js';
import { endLines } from '../../../src/cli/report/end-lines.js';
import { paint } from '../../../src/cli/terminal/line.js';

const linesOf = (exit: EndEvent['exit'], stage: EndEvent['stage'], more: Partial<EndEvent> = {}) =>
  endLines({ kind: 'end', elapsedMs: 3_000, exit, stage, ...more }).map((line) =>
    paint(line, { colour: false }),
  );
const job = { promptId: 'p', reach: ' --dialect local' };

describe('the end of a command', () => {
  it.each(['ended', 'download'] as const)('is told with its time where the job is done: %s', (stage) => {
    expect(linesOf('done', stage)).toEqual(['Done in 3.0 s']);
  });

  it.each(['call', 'prepare', 'submit', 'watch', 'serve'] as const)(
    'is silent where nothing is to say: %s',
    (stage) => {
      expect([linesOf('done', stage), linesOf('network', stage)]).toEqual([[], []]);
    },
  );

  it.each([
    ['failed', 'The job failed.'],
    ['invalidWorkflow', 'The job failed.'],
    ['billing', 'The job failed.'],
    ['cancelled', 'The job was cancelled.'],
    ['untraceable', 'No source of the service knows this job any more.'],
  ] as const)('of a job that is over says how: %s', (exit, line) => {
    expect(linesOf(exit, 'ended')).toEqual([line]);
    expect(linesOf(exit, 'call')).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'timeout'] as const)(
    'that came early says what was not done: %s',
    (exit) => {
      expect(linesOf(exit, 'prepare')).toEqual(['Stopped before anything was submitted.']);
      expect(linesOf(exit, 'submit')).toEqual(['Stopped before anything was submitted.']);
      expect(linesOf(exit, 'call')).toEqual(['Stopped.']);
      expect(linesOf(exit, 'call', job)).toEqual(['Stopped. So far the service has shown no job p.']);
    },
  );

  it('of a job that goes on says how to watch and to cancel it', () => {
    expect(linesOf('SIGINT', 'watch', job)).toEqual([
      'The job goes on. To watch it:',
      '  promptwire follow p --dialect local',
      'To cancel it:',
      '  promptwire cancel p --dialect local',
    ]);
    expect(linesOf('network', 'watch', job)).toHaveLength(2);
    expect(linesOf('SIGINT', 'cancel', job)).toEqual([
      'To see how it ended:',
      '  promptwire follow p --dialect local',
    ]);
  });

  it('of a job whose files are not all there says how to look again', () => {
    expect(linesOf('incomplete', 'ended', job)).toEqual([
      'Files may be missing. To look again:',
      '  promptwire outputs p --dialect local',
    ]);
    expect(linesOf('download', 'download', { promptId: 'p' })).toEqual([
      'The job is over. To fetch its files:',
      '  promptwire outputs p',
    ]);
    expect(linesOf('untraceable', 'watch', job)).toEqual([]);
  });
});

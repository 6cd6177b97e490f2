import { describe, expect, it } from 'vitest';
import { resumeCommand } from '../../../src/cli/report/cli-event.js';

const end = { kind: 'end', exit: 'SIGINT', stage: 'watch', promptId: 'ab-1', elapsedMs: 1 } as const;

describe('resumeCommand', () => {
  it('follows a job that goes on, and fetches the files of one that is over', () => {
    expect(resumeCommand(end)).toBe('promptwire follow ab-1');
    expect(resumeCommand({ ...end, exit: 'download', stage: 'download' })).toBe('promptwire outputs ab-1');
  });

  it('F24: looks again for the files of a job whose record was not whole', () => {
    for (const stage of ['ended', 'download'] as const)
      expect(resumeCommand({ ...end, exit: 'incomplete', stage })).toBe('promptwire outputs ab-1');
  });

  it('is nothing where nothing is left to do', () => {
    expect(resumeCommand({ ...end, exit: 'done', stage: 'download' })).toBeUndefined();
    expect(resumeCommand({ ...end, exit: 'failed', stage: 'ended' })).toBeUndefined();
    expect(resumeCommand({ ...end, exit: 'untraceable' })).toBeUndefined();
    expect(resumeCommand({ kind: 'end', exit: 'SIGINT', stage: 'submit', elapsedMs: 1 })).toBeUndefined();
  });

  it('is safe to paste into a shell, whatever the service calls the job', () => {
    expect(resumeCommand({ ...end, promptId: "x'; rm -rf ~ #" })).toBe(
      `promptwire follow 'x'\\''; rm -rf ~ #'`,
    );
    expect(resumeCommand({ ...end, promptId: '-rf' })).toBe("promptwire follow '-rf'");
  });
});

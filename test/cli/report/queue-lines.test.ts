import { expect, it } from 'vitest';
import { jobLine, queueChange, statsLines } from '../../../src/cli/report/queue-lines.js';
import { paint } from '../../../src/cli/terminal/line.js';

const plain = { colour: false };

it('a job of a queue has its phase, ids and tenant, and why it ended where that says more', () => {
  const lineOf = (job: object, added?: true) =>
    paint(
      jobLine({ kind: 'job', job: { id: 'a', phase: 'waiting', ...job }, ...(added && { added }) } as never),
      plain,
    );
  expect(lineOf({})).toBe('waiting    a -');
  expect(lineOf({ phase: 'running', promptId: 'p', tenant: 'ann' })).toBe('running    a p ann');
  expect(lineOf({ phase: 'failed', reason: 'OOMError' })).toBe('failed     a -  OOMError');
  expect(lineOf({ phase: 'cancelled', reason: 'cancelled' })).toBe('cancelled  a -');
  // One that was just added goes to programs.
  expect(lineOf({ tenant: 'ann' }, true)).toBe('a');
});

it('the numbers of a queue are told by name, and why it stands still', () => {
  const stats = { waiting: 1, held: 20, external: 3, foreign: 3, draining: false };
  const linesOf = (more: object) =>
    statsLines({ ...stats, ...more } as never).map((line) => paint(line, plain));
  expect(linesOf({})).toEqual(['waiting  1', 'held     20', 'external 3']);
  expect(linesOf({ draining: true, paused: 'no credits', refused: 'OOM' }).slice(3)).toEqual([
    'draining: it takes no more jobs',
    'paused: no credits',
    'Redis takes no writes: OOM',
  ]);
});

it('what was done to a queue is told', () => {
  const words = (change: 'paused' | 'resumed' | 'drained' | 'cleared', jobs?: number) =>
    queueChange({ kind: 'queueChanged', change, ...(jobs !== undefined && { jobs }) });
  expect([words('paused'), words('resumed'), words('drained')]).toEqual([
    'Paused: no further job begins.',
    'Resumed.',
    'Drained: no job waits, and none runs.',
  ]);
  expect([words('cleared'), words('cleared', 1)]).toEqual(['Cleared: 0 jobs.', 'Cleared: 1 job.']);
});

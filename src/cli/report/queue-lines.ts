import type { CliEvent } from './cli-event.js';
import { count } from '../terminal/format.js';
import type { Line } from '../terminal/line.js';
import type { QueueStats } from '../../queue.js';

/** A job of a queue; one that was just added by its id alone. */
export const jobLine = ({ job, added }: Extract<CliEvent, { kind: 'job' }>): Line => {
  if (added === true) return [job.id];
  const { id, phase, tenant = '', promptId = '-', reason } = job;
  const why = reason === undefined || reason === phase ? '' : `  ${reason}`;
  return [phase.padEnd(10), ' ', id, ' ', promptId, ...(tenant === '' ? [] : [` ${tenant}`]), why];
};

/** How many jobs of a queue are in each phase, and whether it stands still. */
export const statsLines = ({ paused, draining, refused, ...counts }: QueueStats): readonly Line[] => [
  // `foreign` is the former name of `external`.
  ...Object.entries(counts)
    .filter(([name]) => name !== 'foreign')
    .map(([name, number]): Line => [`${name.padEnd(8)} ${number}`]),
  ...(draining ? [['draining: it takes no more jobs']] : []),
  ...(paused === undefined ? [] : [[`paused: ${paused}`]]),
  ...(refused === undefined ? [] : [[`Redis takes no writes: ${refused}`]]),
];

/** What was done to a queue. */
export const queueChange = ({ change, jobs = 0 }: QueueChanged): string => changes[change](jobs);

type QueueChanged = Extract<CliEvent, { kind: 'queueChanged' }>;

const changes: Readonly<Record<QueueChanged['change'], (jobs: number) => string>> = {
  paused: () => 'Paused: no further job begins.',
  resumed: () => 'Resumed.',
  drained: () => 'Drained: no job waits, and none runs.',
  cleared: (jobs) => `Cleared: ${count(jobs, 'job')}.`,
};

import { bar, count } from './format.js';
import type { JobPhase } from '../../node.js';
import type { Line, StyledText } from './line.js';

/** One job of a command that runs many. */
export interface BatchJob {
  /** The file of its workflow. */
  readonly file: string;
  readonly phase: JobPhase;
  readonly progress: number;
  /** Absent while it waits for one. */
  readonly server?: string | undefined;
}

/** How many jobs are over or wait, and a line for each that a server has. */
export const batchView = (
  jobs: readonly BatchJob[],
  { of, columns, maxJobs }: { readonly of: number; readonly columns: number; readonly maxJobs: number },
): readonly Line[] => {
  const over = jobs.filter(({ phase }) => ended.has(phase)).length;
  const held = jobs.filter(
    ({ phase, server }) => !ended.has(phase) && (server !== undefined || phase !== 'submitting'),
  );
  const waiting = of - over - held.length;
  const shown = held.slice(0, held.length > maxJobs ? Math.max(0, maxJobs - 1) : maxJobs);
  return [
    [
      { text: `${over} of ${count(of, 'job')} over`, style: 'bold' },
      waiting > 0 ? `, ${waiting} to come` : '',
    ],
    ...shown.map((job) => jobLine(job, columns)),
    ...(held.length > shown.length
      ? [[{ text: `  and ${held.length - shown.length} more`, style: 'dim' } as const]]
      : []),
  ];
};

const ended: ReadonlySet<JobPhase> = new Set(['completed', 'failed', 'cancelled', 'untraceable', 'unknown']);

const jobLine = ({ file, phase, progress, server = '' }: BatchJob, columns: number): Line => {
  const width = Math.max(8, Math.floor(columns * 0.3));
  const percent = phase === 'in_progress' ? `${Math.floor(progress * 100)} %`.padStart(6) : '  waits';
  const room = columns - 2 * width - percent.length - 5;
  const drawn =
    room >= 4 && phase === 'in_progress' ? [' ', { text: bar(progress, room), style: 'green' } as const] : [];
  return ['  ', cell(file, width), ' ', cell(server, width), percent, ...drawn];
};

const cell = (text: string, columns: number): StyledText => ({ text, columns, align: 'left' });

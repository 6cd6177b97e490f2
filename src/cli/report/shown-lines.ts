import { count, duration, nodeLabel } from '../terminal/format.js';
import type { JobState, NodeState, OutputFile } from '../../node.js';
import { outputFiles } from '../../node.js';
import type { Line } from '../terminal/line.js';

/** Everything that is known of a job, for a person: where it stands and why, when, what its nodes do, and its results. */
export const shownLines = (id: string, state: JobState): readonly Line[] => {
  const { phase, queue, nodes, outputs, socketImages = [], unread = [], warnings, failure } = state;
  const running = Object.values(nodes).filter((node) => node.phase === 'running');
  return [
    [{ text: id, style: 'bold' }, ` ${phase}${queue === undefined ? '' : queueText(queue)}`],
    ...timesOf(state).map(([what, text]): Line => [`  ${what.padEnd(8)} `, text]),
    ...running.map((node): Line => ['  running  ', nodeText(node)]),
    ...outputFiles(outputs, { nodes }).map((file): Line => ['  file     ', fileText(file)]),
    ...(socketImages.length === 0 ? [] : [['  pictures ', `${socketImages.length} over the socket`]]),
    ...(unread.length === 0 ? [] : [['  unread   ', `${count(unread.length, 'output')} that can't be read`]]),
    ...(failure === undefined
      ? []
      : [['  failure  ', `${failure.exceptionType}: ${failure.exceptionMessage}`]]),
    ...warnings.map((warning): Line => ['  warning  ', warning]),
  ];
};

const queueText = ({ position, reason }: NonNullable<JobState['queue']>): string =>
  `${position === undefined ? '' : `, place ${position}`}${reason === undefined ? '' : ` (${reason})`}`;

const timesOf = ({ queuedAt, startedAt, endedAt }: JobState): readonly (readonly [string, string])[] => {
  const after = (from: number | undefined, to: number): string =>
    from === undefined || to < from ? '' : `, after ${duration(to - from)}`;
  const textOf = (at: number): string => new Date(at).toISOString();
  return [
    ...(queuedAt === undefined ? [] : [['queued', textOf(queuedAt)] as const]),
    ...(startedAt === undefined
      ? []
      : [['started', `${textOf(startedAt)}${after(queuedAt, startedAt)}`] as const]),
    ...(endedAt === undefined ? [] : [['ended', `${textOf(endedAt)}${after(startedAt, endedAt)}`] as const]),
  ];
};

const nodeText = (node: NodeState): string => {
  const { value, max, activity } = node;
  const steps = max > 0 ? ` ${value}/${max}` : '';
  return `${nodeLabel(node, new Map())}${steps}${activity === undefined ? '' : ` ${activity}`}`;
};

const fileText = ({ filename, subfolder, type, metadata }: OutputFile): string => {
  const { width, height, duration: seconds } = metadata ?? {};
  const size = width === undefined || height === undefined ? '' : ` ${width}×${height}`;
  const length = seconds === undefined ? '' : ` ${seconds} s`;
  return `${subfolder === '' ? '' : `${subfolder}/`}${filename}${type === 'output' ? '' : ` (${type})`}${size}${length}`;
};

import { bar, duration, nodeLabel, textWidth } from './format.js';
import type { JobState, Progress } from '../../node.js';
import { type Line, sanitise } from './line.js';

/** What is shown of a job besides its state. */
export type ShownProgress = Omit<Progress, 'nodes'>;

/** The input of the live view of a job. */
export interface JobViewInput {
  readonly state: JobState;
  /** Node id → title, where the workflow is known. */
  readonly titles: ReadonlyMap<string, string>;
  /** The share, the stage and the time left; default those of the state alone. */
  readonly shown?: ShownProgress | undefined;
  /** The connection is not open, which replaces the time left. */
  readonly away?: boolean;
  readonly elapsedMs: number;
  readonly columns: number;
  /** The maximum number of lines for nodes. */
  readonly maxNodes: number;
}

/** The lines of a running job: the overall bar with the time left, then a line for each running node. */
export const jobView = (input: JobViewInput): readonly Line[] => {
  const running = Object.values(input.state.nodes).filter(({ phase }) => phase === 'running');
  const shown = running.slice(
    0,
    running.length > input.maxNodes ? Math.max(0, input.maxNodes - 1) : input.maxNodes,
  );
  const hidden = running.length - shown.length;
  return [
    overall(input),
    ...shown.map((node) => nodeLine(node, input)),
    ...(hidden > 0 ? [[{ text: `  and ${hidden} more`, style: 'dim' } as const]] : []),
  ];
};

type Node = JobState['nodes'][string];

const overall = ({ state, shown, away = false, elapsedMs, columns }: JobViewInput): Line => {
  const value = shown?.value ?? state.progress;
  const word = `${stageWords.get(shown?.stage) ?? words[state.phase]}${placeText(state)}`;
  const percent = `${Math.floor(value * 100)} %`.padStart(6);
  const passed = timeLeft(shown) ?? duration(elapsedMs);
  const time = away ? 'reconnecting …' : passed;
  const width = columns - textWidth(sanitise(word)) - percent.length - time.length - 3;
  const drawn = width >= 4 ? [' ', { text: bar(value, width), style: 'cyan' } as const] : [];
  return [{ text: word, style: 'bold' }, percent, ...drawn, ' ', { text: time, style: 'dim' }];
};

const stageWords: ReadonlyMap<string | undefined, string> = new Map([
  ['loading', 'Loading'],
  ['downloading', 'Downloading'],
]);

/** The time left, and how long it may be if that is far more; undefined while nothing tells. */
export const timeLeft = (shown: ShownProgress | undefined): string | undefined => {
  if (shown?.timeLeftMs === undefined) return undefined;
  const { timeLeftMs, timeLeftMaxMs } = shown;
  const most = timeLeftMaxMs === undefined ? '' : ` to ${duration(timeLeftMaxMs)}`;
  return `${duration(timeLeftMs)}${most} left`;
};

/** Where a waiting job stands, and why; empty if the service does not tell. */
const placeText = ({ queue: { position, reason } = {} }: JobState): string => {
  const why = reason === undefined ? undefined : (reasons.get(reason) ?? reason);
  const told = [position === undefined ? undefined : `place ${position}`, why].filter(
    (part) => part !== undefined,
  );
  return told.length === 0 ? '' : ` (${told.join(', ')})`;
};

const reasons: ReadonlyMap<string, string> = new Map([
  ['concurrency_limit', 'limit of the account'],
  ['capacity', 'no free worker'],
]);

const words: Readonly<Record<JobState['phase'], string>> = {
  submitting: 'Submitting',
  pending: 'Waiting',
  in_progress: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  untraceable: 'Untraceable',
  unknown: 'Unknown',
};

const nodeLine = (node: Node, { titles, columns }: JobViewInput): Line => {
  const labelWidth = Math.min(24, Math.floor(columns * 0.4));
  const label = { text: nodeLabel(node, titles), columns: labelWidth, align: 'left' } as const;
  const count = node.max > 0 ? `${node.value}/${node.max}`.padStart(7) : '      …';
  const room = columns - labelWidth - count.length - 4;
  const told = node.text ?? node.activity;
  const text = told === undefined ? '' : ` ${told}`;
  const barWidth = text === '' ? room : Math.min(10, room);
  const drawn = barWidth >= 4 ? [{ text: bar(node.fraction, barWidth), style: 'green' } as const] : [];
  return ['  ', label, count, ' ', ...drawn, { text, style: 'dim' }];
};

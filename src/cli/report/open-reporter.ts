import type { CliEvent, Reporter } from './cli-event.js';
import type { CliIo } from '../cli-io.js';
import { duration, nodeLabel } from '../terminal/format.js';
import { eventLines } from './event-lines.js';
import type { JobState } from '../../node.js';
import { jsonReporter } from './json-reporter.js';
import { type Line, paint, type PaintOptions } from '../terminal/line.js';
import { liveReporter } from './live-reporter.js';
import { printEvent, valueLength } from './print-event.js';
import { pictureKind } from '../picture/encode-picture.js';

/** The options that choose how a command reports. */
export interface ReportFlags {
  readonly json?: boolean;
  /** False after `--no-preview`. */
  readonly preview?: boolean;
}

/**
 * Chooses the reporter: JSON with `--json`, a live block on a capable terminal, otherwise plain lines. Every line is
 * redacted.
 */
export const openReporter = (
  io: CliIo,
  { json = false, preview = true }: ReportFlags,
  redact: (text: string) => string,
): Reporter => {
  if (json) return jsonReporter(io, redact);
  const capable = io.isTTY && io.env['TERM'] !== 'dumb';
  const colour = capable && (io.env['NO_COLOR'] ?? '') === '';
  if (!capable) return plainReporter(io, { colour, redact });
  return liveReporter(io, { colour, pictures: preview ? pictureKind(io.env) : 'none', redact });
};

/** Writes permanent lines, for logs, pipes and terminals without cursor control. A long job reports each 10 %. */
export const plainReporter = (
  io: Pick<CliIo, 'stdout' | 'stderr' | 'showsResults'>,
  options: PaintOptions,
): Reporter => {
  let last: JobState | undefined;
  return {
    report: (event) => {
      const steps = event.kind === 'state' ? stateLines(last, event) : [];
      if (event.kind === 'state') last = event.state;
      for (const line of steps) io.stderr.write(`${paint(line, options)}\n`);
      printEvent(io, eventLines(event, valueLength(io)), options);
    },
    close: () => undefined,
  };
};

const stateLines = (
  last: JobState | undefined,
  event: Extract<CliEvent, { kind: 'state' }>,
): readonly Line[] => {
  const { state, titles, timeLeftMs } = event;
  const word = phaseWords.get(state.phase);
  const moved = last?.phase !== state.phase && word !== undefined ? [[word]] : [];
  const begun = Object.values(state.nodes)
    .filter((node) => node.phase !== last?.nodes[node.nodeId]?.phase && node.phase !== 'finished')
    .map((node): Line => [`  ${nodeLabel(node, titles)}${nodeWords[node.phase]}`]);
  const tenths = Math.floor(state.progress * 10);
  const grown = tenths > Math.floor((last?.progress ?? 0) * 10) && tenths < 10;
  const left = timeLeftMs === undefined ? '' : `, ${duration(timeLeftMs)} left`;
  return [...moved, ...begun, ...(grown ? [[`  ${tenths * 10} %${left}`]] : [])];
};

const phaseWords: ReadonlyMap<JobState['phase'], string> = new Map([
  ['pending', 'Waiting'],
  ['in_progress', 'Running'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
]);

const nodeWords = {
  running: '',
  finished: '',
  cached: ' (cached)',
  stopped: ' stopped',
  failed: ' failed',
} as const;

import type { CliEvent, Reporter } from './cli-event.js';
import type { CliIo } from '../cli-io.js';
import { nodeLabel } from '../terminal/format.js';
import { batchStarts } from './batch-lines.js';
import { eventLines } from './event-lines.js';
import type { JobState } from '../../node.js';
import { jsonReporter } from './json-reporter.js';
import { type Line, paint, type PaintOptions } from '../terminal/line.js';
import { timeLeft } from '../terminal/job-view.js';
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
  let last: Reported | undefined;
  const batchStart = batchStarts();
  return {
    report: (event) => {
      const steps = event.kind === 'state' ? stateLines(last, event) : [];
      if (event.kind === 'state') last = { state: event.state, value: valueOf(event) };
      for (const line of steps) io.stderr.write(`${paint(line, options)}\n`);
      if (event.kind === 'batch')
        for (const line of batchStart(event)) io.stderr.write(`${paint(line, options)}\n`);
      printEvent(io, eventLines(event, valueLength(io)), options);
    },
    close: () => undefined,
  };
};

/** The state that was reported last, and how far the job was. */
interface Reported {
  readonly state: JobState;
  readonly value: number;
}

const valueOf = ({ state, shown }: Extract<CliEvent, { kind: 'state' }>): number =>
  shown?.value ?? state.progress;

const stateLines = (
  last: Reported | undefined,
  event: Extract<CliEvent, { kind: 'state' }>,
): readonly Line[] => {
  const { state, titles, shown } = event;
  const word = phaseWords.get(state.phase);
  const moved = last?.state.phase !== state.phase && word !== undefined ? [[word]] : [];
  const begun = Object.values(state.nodes)
    .filter((node) => node.phase !== last?.state.nodes[node.nodeId]?.phase && node.phase !== 'finished')
    .map((node): Line => [`  ${nodeLabel(node, titles)}${nodeWords[node.phase]}`]);
  const tenths = Math.floor(valueOf(event) * 10);
  const grown = tenths > Math.floor((last?.value ?? 0) * 10) && tenths < 10;
  const time = timeLeft(shown);
  const left = time === undefined ? '' : `, ${time}`;
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

import type { JobLogEvent, OutputEvent } from './job-log-event.js';
import type { JobState } from '../state/job-state.js';
import type { OutputFile } from '../state/output-files.js';
import { isSameJson } from '../protocol/json/is-same-json.js';
import { isTerminal } from '../state/job-state.js';
import { progressOf, statusOf } from './state-members.js';
import { withoutPrototype } from '../state/outputs.js';
import { outputFiles } from '../state/output-files.js';

/**
 * Tells in events what is different between two states of a job; `applyJobEvent` leads from the first to the second one by them.
 *
 * Outputs come before the status, so that a terminal status is the last event; it holds the last progress as well.
 *
 * @param at - When it happened, in milliseconds since 1970.
 */
export const changesBetween = (previous: JobState, next: JobState, at: number): readonly JobLogEvent[] => {
  const status = statusOf(next);
  const progress = progressOf(next);
  const hasMoved = !isSameJson(statusOf(previous), status);
  const hasProgressed = !isSameJson(progressOf(previous), progress);
  const hasEnded = isTerminal(next.phase);
  return [
    ...outputChanges(previous, next, at),
    ...(hasMoved || (hasEnded && hasProgressed)
      ? [{ type: 'status' as const, at, status, ...(hasEnded && { progress }) }]
      : []),
    ...(hasProgressed && !hasEnded ? [{ type: 'progress' as const, at, progress }] : []),
  ];
};

const outputChanges = (previous: JobState, next: JobState, at: number): readonly OutputEvent[] => {
  if (previous.outputs === next.outputs) return [];
  return Object.entries(next.outputs)
    .filter(([nodeId, outputs]) => !isSameJson(previous.outputs[nodeId], outputs))
    .map(([nodeId, outputs]) => {
      const known = new Set(filesOf(previous, nodeId).map(fileKey));
      // A node may list a file under two keys.
      const added = filesOf(next, nodeId).filter((file) => known.size < known.add(fileKey(file)).size);
      return { type: 'output', at, nodeId, outputs, added };
    });
};

const filesOf = ({ outputs, nodes }: JobState, nodeId: string): readonly OutputFile[] => {
  const own = outputs[nodeId];
  if (own === undefined) return [];
  return outputFiles(withoutPrototype({ [nodeId]: own }), { nodes });
};

const fileKey = ({ filename, subfolder, type, asset }: OutputFile): string =>
  JSON.stringify([filename, subfolder, type, asset?.id]);

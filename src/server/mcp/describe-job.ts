import type { JobState } from '../../core/state/job-state.js';
import { plainText } from '../../core/redaction/plain-text.js';
import type { ServiceFile } from './service/mcp-service.js';

/** A job as a model reads it: short, without secrets, and with what to do next where there is something to do. */
export const describeJob = (
  state: JobState,
  files: readonly ServiceFile[],
): Readonly<Record<string, unknown>> => ({
  job: state.promptId,
  phase: state.phase,
  ...(state.phase === 'in_progress' && { progress: Math.round(state.progress * 100) / 100 }),
  ...(state.failure !== undefined && {
    failure: {
      type: state.failure.exceptionType,
      message: plainText(state.failure.exceptionMessage),
      ...(state.failure.nodeId !== undefined && { node: state.failure.nodeId }),
    },
  }),
  ...(files.length > 0 && {
    files: files.map(({ filename, mediaType, nodeId }) => ({
      name: plainText(filename),
      mediaType,
      node: nodeId,
    })),
  }),
  ...(state.phase === 'completed' &&
    !state.outputsComplete && { note: 'The record of the job is not complete: files may be missing.' }),
  ...(state.warnings.length > 0 && {
    warnings: state.warnings.slice(0, 20).map((warning) => plainText(warning)),
  }),
});

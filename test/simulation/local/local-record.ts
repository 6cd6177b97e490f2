import type { JobKind } from '../sim-jobs.js';
import type { LocalJob } from './local-job.js';

/** What history keeps of a job. */
export type LocalRecord = Readonly<Record<string, unknown>>;

/** The record of a job that has ended; only its last message tells an interrupted one from one that failed. */
export const recordOf = ({ promptId, number, outputs, log, say }: LocalJob, kind: JobKind): LocalRecord => ({
  prompt: [number, promptId, {}, {}, say.nodeIds],
  outputs: { ...outputs },
  status: {
    status_str: kind === 'completed' ? 'success' : 'error',
    completed: kind === 'completed',
    messages: log.map(({ type, data }) => [type, data]),
  },
  meta: Object.fromEntries(
    Object.keys(outputs).map((id) => [
      id,
      { node_id: id, display_node: id, parent_node: null, real_node_id: id },
    ]),
  ),
});

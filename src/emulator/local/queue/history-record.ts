import type { EventData } from '../../messages.js';
import type { LocalJob } from './local-job.js';

/** What history keeps of a job that has ended. */
export const historyRecord = (job: LocalJob, succeeded: boolean): EventData => {
  const extraData = Object.fromEntries(Object.entries(job.extraData).filter(([name]) => !secrets.has(name)));
  return {
    prompt: [job.shownNumber, job.id, job.prompt, extraData, job.targets],
    outputs: Object.fromEntries(job.outputs),
    status: {
      status_str: succeeded ? 'success' : 'error',
      completed: succeeded,
      messages: [...job.messages],
    },
    meta: Object.fromEntries([...job.outputs.keys()].map((nodeId) => [nodeId, meta(nodeId)])),
  };
};

/** Members of `extra_data` that history leaves out. */
const secrets: ReadonlySet<string> = new Set(['api_key_comfy_org', 'auth_token_comfy_org']);

const meta = (nodeId: string): EventData => ({
  node_id: nodeId,
  display_node: nodeId,
  parent_node: null,
  real_node_id: nodeId,
});

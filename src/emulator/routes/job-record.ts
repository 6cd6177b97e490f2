import type { EmulatorClock } from '../clock.js';
import type { EventData } from '../messages.js';
import type { Switches } from '../options.js';
import { isWaiting, type Job } from '../scheduler/job.js';

/** What history says of a job, or nothing while it has not started and where it ended without a word. */
export const jobRecord = (
  job: Job,
  { historyLagMs }: Switches,
  now: EmulatorClock['now'],
): EventData | undefined => {
  if (isWaiting(job) || job.messages.length === 0) return undefined;
  const isComplete = job.endedAt === undefined || now() >= job.endedAt + historyLagMs;
  const outputs = isComplete ? [...job.outputs] : [];
  return {
    prompt: {
      priority: 0,
      prompt_id: job.id,
      prompt: job.prompt,
      extra_data: { create_time: job.createdAt },
      outputs_to_execute: job.targets,
    },
    outputs: Object.fromEntries(outputs),
    status: job.endedAt === undefined ? null : endStatus(job),
    meta: Object.fromEntries(outputs.map(([nodeId]) => [nodeId, nodeMeta(nodeId)])),
  };
};

const endStatus = (job: Job): EventData => ({
  status_str: job.word === 'success' ? 'success' : 'error',
  completed: job.word === 'success',
  messages: job.messages,
});

const nodeMeta = (nodeId: string): EventData => ({
  node_id: nodeId,
  display_node: nodeId,
  parent_node: null,
  real_node_id: nodeId,
});

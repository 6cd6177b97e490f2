import { cachedBehind } from './graph.js';
import { cacheKeys } from './result-cache.js';
import { createRunState, executedEvent, orderOf } from './run-state.js';
import type { Job } from './job.js';
import type { RunEnd, RunEnvironment } from './run-environment.js';
import { runNodes } from './run-node.js';

/**
 * Executes a job's graph, one node at a time: reports cached nodes, runs what the outputs need and caches the results. A node may
 * ask for the nodes behind its lazy inputs while it runs, and become a subgraph.
 *
 * It sends the events up to the end of the last node; the caller sends the terminal event.
 */
export const runJob = async (job: Job, environment: RunEnvironment): Promise<RunEnd> => {
  const { cache, send, record } = environment;
  const keyOf = cacheKeys(job.graph);
  cache.begin([...job.graph.keys()].map(keyOf));
  const state = createRunState(job, environment, keyOf);
  const { known, progress } = state;
  for (const nodeId of job.graph.keys()) {
    const result = cache.get(keyOf(nodeId));
    if (result) known.set(nodeId, result);
  }
  const order = orderOf(state, job.targets);
  const nodes = cachedBehind(job.graph, job.targets, (nodeId) => known.has(nodeId));
  record(job, 'execution_cached', { nodes, prompt_id: job.id });
  for (const nodeId of job.targets) {
    const result = known.get(nodeId);
    if (!result) continue;
    send(executedEvent(state, nodeId, result.ui ?? null));
    send(progress.finish(nodeId));
  }
  return (await runNodes(state, order)) ?? { _tag: 'success' };
};

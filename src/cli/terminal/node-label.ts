import type { JobState } from '../../node.js';

/** What a node is called: its title in the workflow, else its id. */
export const nodeLabel = (
  node: Pick<JobState['nodes'][string], 'nodeId' | 'displayNodeId'>,
  titles: ReadonlyMap<string, string>,
): string => titles.get(node.displayNodeId) ?? titles.get(node.nodeId) ?? `node ${node.displayNodeId}`;

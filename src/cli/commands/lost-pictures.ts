import type { JobState } from '../../node.js';
import type { EndedJob } from './ended-job.js';
import { nodeTitles } from './node-titles.js';
import { streamingNodes } from './streamed-pictures.js';

/** Says of each node that sends its pictures over the socket how many of them are not saved; empty where all are. */
export const lostPictures = ({ workflow = {}, nodes, streamed }: EndedJob): readonly string[] =>
  streamingNodes(workflow).flatMap((nodeId) => {
    const got = streamed?.get(nodeId) ?? 0;
    const wanted = Math.max(1, stepsOf(nodes, nodeId));
    const title = nodeTitles(workflow).get(nodeId) ?? nodeId;
    return got >= wanted
      ? []
      : [`${wanted - got} of ${wanted} pictures of node ${nodeId} (${title}) are not here: ${why}`];
  });

const why = 'they are sent over the connection while the job runs, and the service keeps none';

/** Such a node takes one step for each picture. */
const stepsOf = (nodes: EndedJob['nodes'], nodeId: string): number => {
  const node: Partial<JobState['nodes'][string]> | undefined = Object.hasOwn(nodes, nodeId)
    ? nodes[nodeId]
    : undefined;
  return node?.max ?? 0;
};

import { factsOf } from '../../../workflow/edit/node-facts.js';
import type { CallerBase } from '../v2/documents.js';
import type { GatewayJob } from '../model/gateway-jobs.js';
import { filesOfJob, type NativeFile } from './native-job.js';
import { outputNamer } from '../../../workflow/edit/outputs-by-title.js';

/** The files of a job by the names of the nodes that made them, as `outputsByTitle` has them: title, else class, else id. */
export type NamedFiles = Readonly<Record<string, readonly NativeFile[]>>;

/** Sorts the files of a job by the names of their nodes, in the order of the outputs. */
export const namedFiles = (job: GatewayJob, base: CallerBase): NamedFiles => {
  const facts = factsOf(job.record.workflow);
  const nodeOf = new Map(facts.map((node) => [node.id, node]));
  const nameOf = outputNamer(facts);
  const { nodes } = job.state;
  const named = Object.create(null) as Record<string, NativeFile[]>;
  for (const file of filesOfJob(job, base)) {
    const { nodeId } = file;
    const shownAt = (Object.hasOwn(nodes, nodeId) ? nodes[nodeId]?.displayNodeId : undefined) ?? nodeId;
    (named[nameOf(nodeOf.get(shownAt) ?? { id: shownAt, class: '' })] ??= []).push(file);
  }
  return named;
};

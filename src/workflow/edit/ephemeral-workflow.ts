import { isJsonObject } from '../../core/protocol/json/json.js';
import type { Problem } from '../../core/protocol/problem.js';
import type { Workflow, WorkflowNode } from '../../core/protocol/workflow.js';

/** A workflow that leaves no file of its results on the server. */
export interface EphemeralWorkflow {
  /** The workflow, whose savers and previews of pictures send them over the socket. */
  readonly workflow: Workflow;
  /**
   * `ephemeral_output`, an error: a node writes files that the socket does not carry. `ephemeral_input`, a warning: a node reads a file
   * that was uploaded, which stays on the server.
   */
  readonly problems: readonly Problem[];
}

/**
 * Makes `SaveImageWebsocket` nodes of a workflow's `SaveImage` and `PreviewImage` nodes, so that their pictures come over the socket and no
 * file of them stays; ids, titles and links stay as they are. Pure; what else would leave a file is among `problems`.
 *
 * `ephemeral: true` of a submission does the same, refuses what has errors, and deletes the record of the job after its end. The classes are
 * told by their names: one that writes files under another name is not noticed.
 *
 * @example
 * ```ts
 * import { ephemeralWorkflow } from 'promptwire/workflow';
 *
 * const { workflow } = ephemeralWorkflow({
 *   1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
 *   2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'a' } },
 * });
 * console.log(workflow['2']?.class_type); // SaveImageWebsocket
 * ```
 */
export const ephemeralWorkflow = (workflow: Workflow): EphemeralWorkflow => ({
  workflow: Object.fromEntries(Object.entries(workflow).map(([nodeId, node]) => [nodeId, sent(node)])),
  problems: Object.entries(workflow).flatMap(([nodeId, node]) => problemsOf(nodeId, node)),
});

const pictures: readonly string[] = ['SaveImage', 'PreviewImage'];

const sent = (node: WorkflowNode): WorkflowNode =>
  pictures.includes(node.class_type)
    ? { ...node, class_type: 'SaveImageWebsocket', inputs: { images: node.inputs['images'] } }
    : node;

/** Words by which classes that write files are named. */
const writes = /Save|Preview|Export|Upload|VideoCombine/u;

/** Their names say so, and they write none: what they show is text, or goes over the socket. */
const writesNone: readonly string[] = [...pictures, 'SaveImageWebsocket', 'PreviewAny'];

const problemsOf = (nodeId: string, { class_type, inputs }: WorkflowNode): readonly Problem[] => {
  if (writes.test(class_type) && !writesNone.includes(class_type))
    return [
      {
        ...{ nodeId, type: 'ephemeral_output', severity: 'error' },
        message: `The node ${nodeId} (${class_type}) writes files that the socket does not carry.`,
      },
    ];
  const input = /^Load/u.test(class_type) ? uploaded.find((name) => isText(inputs, name)) : undefined;
  if (input === undefined) return [];
  return [
    {
      ...{ nodeId, input, type: 'ephemeral_input', severity: 'warning' },
      message: `The file that the node ${nodeId} (${class_type}) reads stays on the server.`,
    },
  ];
};

const uploaded = ['image', 'mask', 'audio', 'video', 'file'];

const isText = (inputs: unknown, name: string): boolean =>
  isJsonObject(inputs) && typeof inputs[name] === 'string';

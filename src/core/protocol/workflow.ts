/** One node of a workflow in API format. */
export interface WorkflowNode {
  /** The node class, a key of `rest.objectInfo`. */
  readonly class_type: string;
  /** Literals, or links `[nodeId, slot]`. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** What the editor keeps with a node; the service ignores it. */
  readonly _meta?: {
    /** The title in the editor. */
    readonly title?: string;
  };
}

/** A workflow in API format: node id → node. */
export type Workflow = Readonly<Record<string, WorkflowNode>>;

/** Whether a list is a link to a node of this workflow; otherwise it is a literal. */
export const isLink = (workflow: Workflow, [nodeId, slot, ...more]: readonly unknown[]): boolean =>
  more.length === 0 &&
  typeof nodeId === 'string' &&
  Object.hasOwn(workflow, nodeId) &&
  Number.isInteger(slot) &&
  (slot as number) >= 0;

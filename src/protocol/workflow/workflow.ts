/** One node of a workflow in API format. */
export interface WorkflowNode {
  readonly class_type: string;
  /** Literals, or links `[nodeId, slot]`. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly _meta?: { readonly title?: string };
}

/** A workflow in API format: node id → node. */
export type Workflow = Readonly<Record<string, WorkflowNode>>;

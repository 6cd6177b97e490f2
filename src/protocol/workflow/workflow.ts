import * as t from 'io-ts';

/** One node of a workflow in API format. */
export interface WorkflowNode {
  readonly class_type: string;
  /** Literals, or links `[nodeId, slot]`. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly _meta?: { readonly title?: string };
}

/** A workflow in API format: node id → node. */
export type Workflow = Readonly<Record<string, WorkflowNode>>;

/** Other members are kept. */
const workflowNode = t.intersection([
  t.type({ class_type: t.string, inputs: t.UnknownRecord }),
  t.partial({ _meta: t.partial({ title: t.string }) }),
]);

/** The shape of {@link Workflow}: what a submission takes as `prompt` (docs/protocol.md, chapter 9). */
export const workflow = t.record(t.string, workflowNode);

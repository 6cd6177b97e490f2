/** One problem that validation found with a node (docs/protocol.md, chapter 9). */
export interface NodeProblem {
  readonly type: string;
  readonly message: string;
  readonly details: string;
  readonly extraInfo: Readonly<Record<string, unknown>>;
}

/** The problems of one node and the output nodes that fall with it. */
export interface NodeErrorEntry {
  readonly classType: string;
  readonly dependentOutputs: readonly string[];
  readonly errors: readonly NodeProblem[];
}

/** Node id → what validation found, without a prototype. */
export type NodeErrors = Readonly<Record<string, NodeErrorEntry>>;

/** Validation found nothing. */
export const noNodeErrors: NodeErrors = /* @__PURE__ */ Object.freeze(Object.create(null) as NodeErrors);

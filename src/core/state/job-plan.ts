/** How long the nodes of a job are expected to take: what `progress()` weighs them by. */
export interface JobPlan {
  /** The nodes that will take a noticeable time. */
  readonly nodes: readonly PlannedNode[];
  /** What all other nodes take together, in milliseconds; absent if there are no others. */
  readonly restMs?: number;
  /** The mean duration of the jobs that the client has seen, in milliseconds; absent before the first. */
  readonly jobMs?: number;
}

/** One node of a plan. */
export interface PlannedNode {
  /** Its id in the submitted workflow. */
  readonly nodeId: string;
  /** The expected duration in milliseconds. */
  readonly ms: number;
  /** How far the duration may be off, as a share of it: 0.15 where it was measured, up to 1 where it is guessed. */
  readonly spread: number;
  /** Nodes of one class have one number: what one of them takes says what the others will. */
  readonly kind: number;
  /** The steps that its inputs name. */
  readonly steps?: number;
  /** How often such a node has counted its steps, as one does that samples each of several faces; absent if once. */
  readonly passes?: number;
  /** What one step has taken, of a class whose steps are of one size, such as tiles; in milliseconds. */
  readonly stepMs?: number;
  /** Whether its work depends on the size of a picture that the workflow doesn't tell, such as an uploaded one. */
  readonly unsized?: true;
  /** What it loads before its first step, in milliseconds, on top of `ms`; absent if that is in memory or unknown. */
  readonly leadMs?: number;
  /** Whether it encodes a text, and takes longer with a larger model. */
  readonly texts?: true;
  /** Whether it loads a model. */
  readonly loads?: true;
}

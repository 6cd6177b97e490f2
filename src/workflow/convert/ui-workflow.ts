/** A workflow as the editor saves it. Whatever it holds is read with care, so parsed JSON will do. */
export interface UiWorkflow {
  /** The nodes of the root graph. */
  readonly nodes: readonly unknown[];
  /** Links, definitions of subgraphs, view and version, as in the file. */
  readonly [more: string]: unknown;
}

/** One node of an inspected workflow. */
export interface InspectedNode {
  readonly nodeId: string;
  readonly class: string;
  readonly title?: string;
  /** As in the API format: a value, or a link `[nodeId, slot]`. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Of a node that was not converted: its values as the editor's file lists them. */
  readonly values?: readonly unknown[];
  /** Of a node that does not run. */
  readonly mode?: 'muted' | 'bypassed';
  /** The name of the subgraph that it stands in, where its definition was not unfolded. */
  readonly inside?: string;
  /** The pack of its class, by the file. */
  readonly pack?: string;
}

/** A file of a model that the workflow names. */
export interface InspectedModel {
  readonly name: string;
  /** The input that names it; absent if only the editor's file lists it. */
  readonly nodeId?: string;
  readonly input?: string;
  /** Where to get it and the folder that it belongs to, by the file. */
  readonly url?: string;
  readonly directory?: string;
}

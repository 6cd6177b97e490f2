/** The outputs of one node as the interface sends them: key → array, e.g. `images`, `video`, `audio`, `text`. */
export type NodeOutputs = Readonly<Record<string, unknown>>;

/** Node id → its outputs, an object without a prototype, exactly as in `executed` and history. */
export type Outputs = Readonly<Record<string, NodeOutputs>>;

/** No outputs. */
export const noOutputs: Outputs = /* @__PURE__ */ Object.freeze(Object.create(null) as Outputs);

import * as t from 'io-ts';

/** Other members are kept. */
const workflowNode = t.intersection([
  t.type({ class_type: t.string, inputs: t.UnknownRecord }),
  t.partial({ _meta: t.partial({ title: t.string }) }),
]);

/** The shape of a `Workflow`: what a submission takes as `prompt` (docs/protocol.md, chapter 9). */
export const workflowCodec = t.record(t.string, workflowNode);

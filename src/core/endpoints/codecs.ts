import { standard } from '../protocol/standard-schema.js';
import * as t from 'io-ts';

/** The answer of the status endpoint: only the word is promised (docs/protocol.md, chapter 4). */
export const jobStatusCodec = standard(
  t.intersection([
    t.type({ status: t.string }),
    t.partial({
      id: t.unknown,
      created_at: t.unknown,
      updated_at: t.unknown,
      error_message: t.unknown,
      execution_error: t.unknown,
    }),
  ]),
);

/** `[type]` or `[type, options]`; the type is a word or a list of choices, the options stay as they are. */
const specs = t.record(t.string, t.UnknownArray);

/** What a node class must have to be usable (docs/protocol.md, chapter 2). */
export const nodeInfoCodec = standard(
  t.intersection([
    t.type({
      input: t.partial({
        required: t.union([specs, t.undefined]),
        optional: t.union([specs, t.undefined]),
        hidden: t.union([t.UnknownRecord, t.undefined]),
      }),
      output: t.UnknownArray,
      output_node: t.boolean,
      name: t.string,
      category: t.string,
    }),
    t.partial({
      display_name: t.union([t.string, t.null, t.undefined]),
      description: t.union([t.string, t.undefined]),
    }),
  ]),
);

/** Other members are kept. */
const workflowNode = t.intersection([
  t.type({ class_type: t.string, inputs: t.UnknownRecord }),
  t.partial({ _meta: t.partial({ title: t.string }) }),
]);

/** The shape of a `Workflow`: what a submission takes as `prompt` (docs/protocol.md, chapter 9). */
export const workflowCodec = standard(t.record(t.string, workflowNode));

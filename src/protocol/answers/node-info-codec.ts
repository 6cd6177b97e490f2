import * as t from 'io-ts';

/** `[type]` or `[type, options]`; the type is a word or a list of choices, the options stay as they are. */
const specs = t.record(t.string, t.UnknownArray);

/** What a node class must have to be usable (docs/protocol.md, chapter 2). */
export const nodeInfoCodec = t.intersection([
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
]);

import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { NodeInfo, ObjectInfo } from './object-info.js';

/**
 * Reads the node classes: each entry that has the promised members is kept with everything else it holds, an entry that
 * has not is left out, as the service itself leaves out what it can't describe (docs/protocol.md, chapter 2).
 *
 * The result has no prototype, so that a class may have any name. Left where no entry at all is usable.
 */
export const readObjectInfo = (json: unknown): E.Either<string, ObjectInfo> => {
  if (!t.UnknownRecord.is(json) || Array.isArray(json)) return E.left('the answer is no map of node classes');
  const entries = Object.entries(json);
  const usable = entries.filter((entry): entry is [string, NodeInfo] => nodeInfo.is(entry[1]));
  return entries.length > 0 && usable.length === 0
    ? E.left('the answer describes no node class')
    : E.right(Object.assign(Object.create(null) as Record<string, NodeInfo>, Object.fromEntries(usable)));
};

/** `[type]` or `[type, options]`; the type is a word or a list of choices, the options stay as they are. */
const specs = t.record(t.string, t.UnknownArray);

const nodeInfo = t.intersection([
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

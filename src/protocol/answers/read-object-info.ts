import * as E from '../either.js';
import { shapeProblem } from '../errors/shape-problem.js';
import { nodeInfoShape } from '../generated/shapes.js';
import { isJsonObject } from '../is-json-object.js';
import type { NodeInfo, ObjectInfo } from './object-info.js';

/**
 * Reads the node classes: each entry that has the promised members is kept with everything else it holds, an entry that
 * has not is left out, as the service itself leaves out what it can't describe (docs/protocol.md, chapter 2).
 *
 * The result has no prototype, so that a class may have any name. Left where no entry at all is usable.
 */
export const readObjectInfo = (json: unknown): E.Either<string, ObjectInfo> => {
  if (!isJsonObject(json)) return E.left('the answer is no map of node classes');
  const entries = Object.entries(json);
  const usable = entries.filter(
    (entry): entry is [string, NodeInfo] => shapeProblem(nodeInfoShape, entry[1]) === undefined,
  );
  return entries.length > 0 && usable.length === 0
    ? E.left('the answer describes no node class')
    : E.right(Object.assign(Object.create(null) as Record<string, NodeInfo>, Object.fromEntries(usable)));
};

import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject } from '../protocol/json/json.js';
import { nodeInfoShape } from '../protocol/generated/shapes.js';
import { shapeProblem } from '../protocol/json/shape-problem.js';
import { pathPart } from '../protocol/path-part.js';

/** `GET /api/object_info`, of all node classes or of one; some services have 60 MB of them (docs/protocol.md, chapter 2). */
export const objectInfoEndpoint = (nodeClass?: string, userModels = false): Endpoint<ObjectInfo> => ({
  method: 'GET',
  path: nodeClass === undefined ? '/api/object_info' : `/api/object_info/${pathPart(nodeClass)}`,
  ...(userModels && { query: { include_user_models: 'true' } }),
  idempotency: 'always',
  maxBytes: 128 * 1024 * 1024,
  parsedInPieces: (path) => (path.length === 1 ? 'part' : undefined),
  read: readObjectInfo,
});

/** One node class of `object_info`; unknown members are kept. */
export interface NodeInfo {
  /** Its inputs by group: name → `[type]` or `[type, options]`, where the type is a word or a list of choices. */
  readonly input: {
    /** Inputs that a workflow must give. */
    readonly required?: Readonly<Record<string, readonly unknown[]>>;
    /** Inputs that a workflow may leave out. */
    readonly optional?: Readonly<Record<string, readonly unknown[]>>;
    /** Inputs that the service fills. */
    readonly hidden?: Readonly<Record<string, unknown>>;
  };
  /** The type of each output, or a list of choices. */
  readonly output: readonly unknown[];
  /** Whether execution starts at this class, as at one that saves a file. */
  readonly output_node: boolean;
  /** The class name again. */
  readonly name: string;
  /** The name for people. */
  readonly display_name?: string | null;
  /** Where an editor lists it, its parts separated by `/`. */
  readonly category: string;
  /** What it does, for people; may be empty. */
  readonly description?: string;
  /** Members that the interface does not promise, as sent. */
  readonly [more: string]: unknown;
}

/** Class name → definition, as sent; each entry was checked for the members that the interface promises. */
export type ObjectInfo = Readonly<Record<string, NodeInfo>>;

/**
 * Reads the node classes: each entry that has the promised members is kept with everything else it holds, an entry that
 * has not is left out, as the service itself leaves out what it can't describe (docs/protocol.md, chapter 2).
 *
 * The result has no prototype, so that a class may have any name. Left if no entry at all is usable.
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

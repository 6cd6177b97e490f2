import { classDeclaration } from './class-declaration.js';
import { membersOf } from './members-of.js';
import { newScope } from './scope.js';
import { parsePythonJson } from '../input/python-json.js';

/** How many classes were declared, and which could not be read. */
export interface Declared {
  readonly classes: number;
  readonly unreadable: readonly string[];
}

const linter = 'eslint';

/** A generated file is not linted. */
const head = `// Written by promptwire types: the node classes of a service. Changes here are lost when it runs again.
/* ${linter}-disable */
import type { BuiltNode, Input, ListOutput, Literal, NodeOptions, Output } from 'promptwire/workflow';

`;

/**
 * Writes the declarations of all node classes, from the bytes of the service's `object_info`: pieces of a module for
 * `graph<Nodes>()`. It holds one definition at a time, and of the others their names, notes and hashes of their lists.
 *
 * Throws `UnreadableObject` for a class of more than `maxBytes` and for bytes that are no JSON object; a class that can't be read is left out.
 */
export async function* declarationsOf(
  source: AsyncIterable<Uint8Array>,
  maxBytes?: number,
): AsyncGenerator<string, Declared> {
  const scope = newScope();
  const methods = new Map<string, string>();
  const unreadable: string[] = [];
  yield head;
  for await (const { name, text } of membersOf(source, maxBytes)) {
    const declaration = methods.has(name) ? undefined : classDeclaration(name, valueIn(text), scope);
    if (declaration === undefined) unreadable.push(name);
    else {
      methods.set(name, declaration.method);
      yield declaration.types;
    }
  }
  yield '/** The node classes of the service: each makes a node of a graph. */\nexport interface Nodes {\n';
  yield* methods.values();
  yield '}\n';
  return { classes: methods.size, unreadable };
}

/** Undefined for what is no JSON. */
const valueIn = (text: string): unknown => {
  try {
    return parsePythonJson(text);
  } catch {
    return undefined;
  }
};

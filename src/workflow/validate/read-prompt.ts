import { type ClassDefinition, type NodeDefinitions, readDefinition } from '../definitions.js';
import { objectOf, ownOf } from '../values.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import type { Problem } from '../../core/protocol/problem.js';
import { error, type Finding, meant, shown, suggesting } from './finding.js';
import { likelyText, packFinder, type PackOf } from './pack-of.js';
import type { Rules } from './rules.js';
import type { Meant, Suggest } from './suggest.js';
import type { Steps } from '../../core/protocol/steps.js';

/** A node whose class the definitions have. */
export interface PromptNode {
  readonly id: string;
  /** Its position among the nodes. */
  readonly at: number;
  readonly className: string;
  readonly definition: ClassDefinition;
  /** As it stands there; undefined if the node has none. */
  readonly inputs: unknown;
}

/** The nodes of a workflow by id. */
export type Prompt = ReadonlyMap<string, PromptNode>;

/**
 * Reads the nodes of a workflow, or says why the engine refuses all of it: it looks at every node first, whether or not an
 * output needs it.
 *
 * The engine stops at the first bad node; here all of them are named.
 */
export function* readPrompt(
  workflow: unknown,
  definitions: NodeDefinitions,
  { rules, suggest }: { readonly rules: Rules; readonly suggest: Suggest },
): Steps<{ readonly prompt: Prompt; readonly problems: readonly Problem[] }> {
  const prompt = new Map<string, PromptNode>();
  const refused = notNodes(workflow);
  if (refused) return { prompt, problems: [refused] };

  const problems: Problem[] = [];
  const nodes = workflow as Readonly<Record<string, unknown>>;
  const known = objectOf(definitions);
  let names: readonly string[] | undefined;
  const similar = (name: string) => suggest(name, (names ??= Object.keys(known)));
  const packOf = packFinder(known);
  for (const id of Object.keys(nodes)) {
    yield;
    const node = nodes[id];
    const members = objectOf(node);
    const className = ownOf(members, 'class_type');
    const definition = typeof className === 'string' ? readDefinition(known, className) : undefined;
    if (!definition) problems.push({ ...notANode(node, className, { similar, packOf }), nodeId: id });
    else
      prompt.set(id, {
        id,
        at: prompt.size,
        className: className as string,
        definition,
        inputs: ownOf(members, 'inputs'),
      });
  }
  // Which of several bad nodes the engine stops at depends on the order of the text that it gets.
  const mixed = problems.some(({ type }) => type !== 'server_error');
  return {
    prompt,
    problems: problems.map((one) => ({
      ...one,
      type: mixed ? (rules === '2026' ? 'missing_node_type' : notFound) : 'server_error',
      message: `Node ${one.nodeId}: ${one.message}`,
    })),
  };
}

/** The node classes that run for their own sake. */
export const outputNodes = (prompt: Prompt): readonly PromptNode[] =>
  [...prompt.values()].filter(({ definition }) => definition.isOutputNode);

/** Of an output node's absence. */
export const noOutputs = (): Problem => error('prompt_no_outputs', 'The workflow has no output node.');

/** The type of what is no node of a class of the server; engines since 2026 have another one for it. */
const notFound = 'invalid_prompt';

/** Why a value is no object of nodes. */
const notNodes = (workflow: unknown): Problem | undefined => {
  if (workflow === undefined) return error('no_prompt', 'There is no workflow.');
  if (isJsonObject(workflow)) return undefined;
  const isEmpty = workflow === '' || (Array.isArray(workflow) && workflow.length === 0);
  return isEmpty
    ? noOutputs()
    : error('server_error', `The workflow is ${shown(workflow)}, and no object of nodes.`);
};

/** The engine breaks on what it can't search as Python's `in` does, on a member that it finds in a text or a list, and on odd names. */
const isOdd = (node: unknown, className: unknown): boolean =>
  Array.isArray(className) ||
  isJsonObject(className) ||
  (typeof node === 'string' || Array.isArray(node) ? node.includes('class_type') : !isJsonObject(node));

/** Says what is wrong with what is no node of a known class. */
const notANode = (
  node: unknown,
  className: unknown,
  { similar, packOf }: { readonly similar: (name: string) => Meant | undefined; readonly packOf: PackOf },
): Finding => {
  const type = isOdd(node, className) ? 'server_error' : notFound;
  if (className === undefined)
    return error(type, isJsonObject(node) ? 'it has no class_type.' : `it is ${shown(node)}, and no node.`);
  // Most often the pack of the class is missing: a name that is like it is another class.
  const found = typeof className === 'string' ? similar(className) : undefined;
  const suggestion = found?.differs === 'file' ? undefined : found?.name;
  const pack = typeof className === 'string' && suggestion === undefined ? packOf(className) : undefined;
  const more = pack === undefined ? meant(undefined, suggestion) : likelyText(pack);
  const finding = error(type, `the server has no node class ${shown(className)}${more}.`);
  return suggesting(pack === undefined ? finding : { ...finding, pack: pack.name }, suggestion);
};

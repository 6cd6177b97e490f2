import { error, type Finding, shown, thrown } from './finding.js';
import { checkLink } from './check-link.js';
import { checkLiteral, type CheckScope } from './check-literal.js';
import type { InputDefinition } from '../definitions.js';
import { isJsonObject } from '../../protocol/json/json.js';
import { liveInputs } from './live-inputs.js';
import type { NodeClass } from './node-class.js';
import type { Problem } from '../../protocol/problem.js';
import { ownOf } from '../values.js';
import type { Prompt, PromptNode } from './read-prompt.js';
import { unknownInputs } from './unknown-inputs.js';

/** What the check of one node found; no other node's problems count. */
export interface NodeCheck {
  readonly problems: readonly Problem[];
  /** The nodes whose outputs it takes, by links that hold. */
  readonly needs: readonly PromptNode[];
}

/** Checks one node that an output needs, input by input. */
export const checkNode = (node: PromptNode, prompt: Prompt, scope: CheckScope): NodeCheck => {
  const needs: PromptNode[] = [];
  const found = isJsonObject(node.inputs)
    ? checkInputs(node.nodeClass, node.inputs, prompt, scope, needs)
    : oddInputs(node);
  return { problems: found.length === 0 ? noProblems : problemsOf(node, found), needs };
};

const noProblems: readonly Problem[] = [];

/** What was found of which input. */
type Found = [input: string, finding: Finding][];

/** Adds to `needs` where links lead. */
const checkInputs = (
  nodeClass: NodeClass,
  given: Readonly<Record<string, unknown>>,
  prompt: Prompt,
  scope: CheckScope,
  needs: PromptNode[],
): Found => {
  const found: Found = [];
  const absent: InputDefinition[] = [];
  const live = nodeClass.isDynamic ? liveInputs(nodeClass.inputs, given) : nodeClass.inputs;
  let present = 0;
  for (const input of live) {
    const { name } = input;
    const value = ownOf(given, name);
    if (value === undefined) {
      if (input.group === 'required') absent.push(input);
      continue;
    }
    present += 1;
    const isFile = name === nodeClass.fileInput;
    const isLink = Array.isArray(value);
    const finding = isLink ? checkLink(input, value, prompt) : checkLiteral(input, value, isFile, scope);
    if (finding !== undefined) found.push([name, finding]);
    if (!isLink) continue;
    const target = finding?.severity === 'error' ? undefined : prompt.get(String(value[0]));
    if (target !== undefined) needs.push(target);
    if (isFile) found.push([name, error(thrown, 'is a link, but must name a file.')]);
  }
  const hasOthers = Object.keys(given).length > present;
  if (absent.length === 0 && !hasOthers) return found;

  const unknown = hasOthers ? unknownInputs(nodeClass, given, live, scope.suggest) : noneUnknown;
  const meant = new Set([...unknown.values()].map(({ fix }) => fix));
  for (const input of absent) found.push([input.name, missing(nodeClass, input, meant)]);
  return [...found, ...unknown];
};

const noneUnknown: ReadonlyMap<string, Finding> = /* @__PURE__ */ new Map();

/** A misspelt input that stands for it is the better fix. */
const missing = (
  { fileInput }: NodeClass,
  { name, options }: InputDefinition,
  meant?: ReadonlySet<unknown>,
): Finding => {
  if (meant !== undefined && name === fileInput) return error(thrown, 'is missing.');
  const fix = meant?.has(name) === false ? options['default'] : undefined;
  return error(
    'required_input_missing',
    'is missing, and required.',
    Array.isArray(fix) ? { __value__: fix } : fix,
  );
};

/** The engine tries to find each input even in what is no object. */
const oddInputs = ({ inputs, nodeClass }: PromptNode): Found => {
  const finding = error(thrown, inputs === undefined ? 'are missing.' : `are ${shown(inputs)}.`);
  if (typeof inputs !== 'string' && !Array.isArray(inputs))
    return inputs !== undefined && nodeClass.inputs.length === 0 ? [] : [['inputs', finding]];
  return nodeClass.inputs.flatMap((input): Found => {
    if (inputs.includes(input.name))
      return [[input.name, error(thrown, `can't be read: the inputs are ${shown(inputs)}.`)]];
    return input.group === 'required' ? [[input.name, missing(nodeClass, input)]] : [];
  });
};

/** Where a check threw, the engine shows that in place of its other errors. */
const problemsOf = (
  { id, nodeClass: { name, isOutputNode } }: PromptNode,
  found: Found,
): readonly Problem[] => {
  const hasThrown = found.some(([, { type }]) => type === thrown);
  return found.flatMap(([input, finding]) => {
    const isThrown = finding.type === thrown;
    if (hasThrown && !isThrown && finding.severity === 'error') return [];
    const type = isThrown && !isOutputNode ? 'exception_during_inner_validation' : finding.type;
    return {
      nodeId: id,
      input,
      ...finding,
      type,
      message: `Node ${id} (${name}): ${input} ${finding.message}`,
    };
  });
};

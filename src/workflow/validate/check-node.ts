import { error, type Finding, problemOf, shown, thrown } from './finding.js';
import { checkLink } from './check-link.js';
import { checkLiteral, type CheckScope } from './check-literal.js';
import type { InputDefinition } from '../definitions.js';
import { fileInputs } from './file-checks.js';
import { isJsonObject } from '../../protocol/json/json.js';
import { liveInputs } from './live-inputs.js';
import type { Problem } from '../../protocol/problem.js';
import { ownOf } from '../values.js';
import type { Prompt, PromptNode } from './read-prompt.js';
import { type Found, unknownInputs } from './unknown-inputs.js';

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
    ? checkInputs(node, node.inputs, prompt, scope, needs)
    : oddInputs(node);
  return { problems: problemsOf(node, found), needs };
};

/** Adds to `needs` where links lead. */
const checkInputs = (
  node: PromptNode,
  given: Readonly<Record<string, unknown>>,
  prompt: Prompt,
  scope: CheckScope,
  needs: PromptNode[],
): Found => {
  const found: Found = [];
  const absent: InputDefinition[] = [];
  const live = liveInputs(node.definition.inputs, given);
  const fileInput = fileInputs.get(node.className);
  let present = 0;
  for (const input of live) {
    const { name } = input;
    const value = ownOf(given, name);
    if (value === undefined) {
      if (input.group === 'required') absent.push(input);
      continue;
    }
    present += 1;
    const isFile = name === fileInput;
    const isLink = Array.isArray(value);
    const finding = isLink ? checkLink(input, value, prompt) : checkLiteral(input, value, isFile, scope);
    if (finding) found.push([name, finding]);
    if (!isLink) continue;
    const target = finding?.severity === 'error' ? undefined : prompt.get(String(value[0]));
    if (target) needs.push(target);
    if (isFile) found.push([name, error(thrown, 'is a link, but must name a file.')]);
  }
  const hasOthers = Object.keys(given).length > present;
  if (absent.length === 0 && !hasOthers) return found;

  const unknown = hasOthers ? unknownInputs(node, given, live, scope.suggest) : [];
  const meant = new Set(unknown.map(([, { fix }]) => fix));
  for (const input of absent) found.push([input.name, missing(node.className, input, meant)]);
  return [...found, ...unknown];
};

/** A misspelt input that stands for it is the better fix. */
const missing = (
  className: string,
  { name, options }: InputDefinition,
  meant?: ReadonlySet<unknown>,
): Finding => {
  if (meant && name === fileInputs.get(className)) return error(thrown, 'is missing.');
  const fix = meant?.has(name) === false ? options['default'] : undefined;
  return error(
    'required_input_missing',
    'is missing, and required.',
    Array.isArray(fix) ? { __value__: fix } : fix,
  );
};

/** The engine tries to find each input even in what is no object. */
const oddInputs = ({ inputs, className, definition }: PromptNode): Found => {
  const finding = error(thrown, inputs === undefined ? 'are missing.' : `are ${shown(inputs)}.`);
  if (typeof inputs !== 'string' && !Array.isArray(inputs))
    return inputs !== undefined && definition.inputs.length === 0 ? [] : [['inputs', finding]];
  return definition.inputs.flatMap((input): Found => {
    if (inputs.includes(input.name))
      return [[input.name, error(thrown, `can't be read: the inputs are ${shown(inputs)}.`)]];
    return input.group === 'required' ? [[input.name, missing(className, input)]] : [];
  });
};

/** Where a check threw, the engine shows that in place of its other errors. */
const problemsOf = (node: PromptNode, found: Found): readonly Problem[] => {
  const hasThrown = found.some(([, { type }]) => type === thrown);
  return found.flatMap(([input, finding]) => {
    const isThrown = finding.type === thrown;
    if (hasThrown && !isThrown && finding.severity === 'error') return [];
    const isInner = isThrown && !node.definition.isOutputNode;
    const type = isInner ? 'exception_during_inner_validation' : finding.type;
    return problemOf(node, { ...finding, type }, input);
  });
};

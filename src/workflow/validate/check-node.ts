import { error, type Finding, problemOf, shown, thrown } from './finding.js';
import { checkLink } from './check-link.js';
import { checkLiteral, type CheckScope } from './check-literal.js';
import type { InputDefinition } from '../definitions.js';
import { fileInputs } from './file-checks.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { liveInputs } from './live-inputs.js';
import type { Problem } from '../../core/protocol/problem.js';
import { objectOf, ownOf } from '../values.js';
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
  const { definition, inputs } = node;
  if (breaksOff(node)) {
    const finding = error(thrown, inputs === undefined ? 'are missing.' : `are ${shown(inputs)}.`);
    return { problems: problemsOf(node, [['inputs', finding]]), needs: [] };
  }
  const given = objectOf(inputs);
  const needs: PromptNode[] = [];
  const found: Found = [];
  const absent: InputDefinition[] = [];
  const live = liveInputs(definition.inputs, given);
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
    const finding = isLink
      ? checkLink(input, value, prompt)
      : checkLiteral(input, value, { isFile, definition }, scope);
    if (finding) found.push([name, finding]);
    if (!isLink) continue;
    const target = finding?.severity === 'error' ? undefined : prompt.get(String(value[0]));
    if (target) needs.push(target);
    if (isFile) found.push([name, error(thrown, 'is a link, but must name a file.')]);
  }
  const unknown = Object.keys(given).length > present ? unknownInputs(node, given, live, scope.suggest) : [];
  for (const input of absent) found.push([input.name, absence(input, unknown, fileInput)]);
  return { problems: problemsOf(node, [...found, ...unknown]), needs };
};

/** Of a required input that is missing. */
const absence = (
  { name, options }: InputDefinition,
  unknown: Found,
  fileInput: string | undefined,
): Finding => {
  // A misspelt input that stands for it is the better fix.
  const isMisspelt = unknown.some(([, { fix, suggestion }]) => fix === name || suggestion === name);
  const value = isMisspelt ? undefined : options['default'];
  const fix = Array.isArray(value) ? { __value__: value } : value;
  return error(name === fileInput ? thrown : 'required_input_missing', 'is missing, and required.', fix);
};

/** Whether the engine's check breaks on what is no object: it tries to find each input even there, as Python's `in` does. */
const breaksOff = ({ inputs, definition }: PromptNode): boolean => {
  if (inputs === undefined) return true;
  if (typeof inputs === 'string' || Array.isArray(inputs))
    return definition.inputs.some(({ name }) => inputs.includes(name));
  return !isJsonObject(inputs) && definition.inputs.length > 0;
};

/** What only a class itself decides is a warning, and throws nothing. */
const throws = ({ type, severity }: Finding): boolean => type === thrown && severity === 'error';

/** Where a check threw, the engine shows that in place of its other errors. */
const problemsOf = (node: PromptNode, found: Found): readonly Problem[] => {
  const hasThrown = found.some(([, finding]) => throws(finding));
  return found.flatMap(([input, finding]) => {
    const isThrown = throws(finding);
    if (hasThrown && !isThrown && finding.severity === 'error') return [];
    const isInner = isThrown && !node.definition.isOutputNode;
    const type = isInner ? 'exception_during_inner_validation' : finding.type;
    return problemOf(node, { ...finding, type }, input);
  });
};

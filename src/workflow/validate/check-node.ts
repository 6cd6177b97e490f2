import { checkLink } from './check-link.js';
import { checkLiteral, type CheckScope } from './check-literal.js';
import { checksFile } from './file-checks.js';
import { type Breakdown, error, type Finding, shown } from './finding.js';
import type { InputDefinition } from '../definitions.js';
import { isJsonObject } from '../../protocol/json/json.js';
import { liveInputs } from './live-inputs.js';
import type { Problem } from '../problem.js';
import type { Prompt, PromptNode } from './read-prompt.js';
import { unknownInputs } from './unknown-inputs.js';

/** What the check of one node found; no other node's problems count. */
export interface NodeCheck {
  readonly problems: readonly Problem[];
  /** Whether the node has an error of its own. */
  readonly isBad: boolean;
  /** The nodes whose outputs it takes, by links that hold. */
  readonly needs: readonly string[];
}

/** Checks one node that an output needs, input by input. */
export const checkNode = (node: PromptNode, prompt: Prompt, scope: CheckScope): NodeCheck => {
  const needs: string[] = [];
  const found = isJsonObject(node.inputs)
    ? checkInputs(node, node.inputs, prompt, scope, needs)
    : oddInputs(node);
  if (found.length === 0) return { problems: [], isBad: false, needs };

  const hasThrown = found.some(([, finding]) => 'breaksDown' in finding);
  const problems: Problem[] = [];
  for (const [input, finding] of found) {
    if ('breaksDown' in finding) problems.push(problemOf(node, input, thrown(node, finding)));
    else if (!hasThrown || finding.severity === 'warning') problems.push(problemOf(node, input, finding));
  }
  return { problems, isBad: problems.some(({ severity }) => severity === 'error'), needs };
};

type Found = [input: string, finding: Finding | Breakdown][];

const checkInputs = (
  node: PromptNode,
  given: Readonly<Record<string, unknown>>,
  prompt: Prompt,
  scope: CheckScope,
  needs: string[],
): Found => {
  const found: Found = [];
  const absent: InputDefinition[] = [];
  const live = liveInputs(node.definition, given);
  for (const input of live) {
    const value = Object.hasOwn(given, input.name) ? given[input.name] : undefined;
    if (value === undefined) {
      absent.push(input);
    } else if (Array.isArray(value)) {
      const { target, finding } = checkLink(input, value as readonly unknown[], prompt);
      if (target !== undefined) needs.push(target.id);
      if (finding !== undefined) found.push([input.name, finding]);
      if (checksFile(node.className, input))
        found.push([input.name, { breaksDown: 'is a link, but must name a file.' }]);
    } else {
      const finding = checkLiteral(node.className, input, value, scope);
      if (finding !== undefined) found.push([input.name, finding]);
    }
  }
  const hasOthers = Object.keys(given).length > live.length - absent.length;
  const unknown = hasOthers ? unknownInputs(node, given, live, scope.suggest) : noInputs;
  const claimed = new Set([...unknown.values()].map(({ fix }) => fix));
  for (const input of absent) {
    if (input.group === 'required') found.push([input.name, missing(node, input, claimed.has(input.name))]);
  }
  return [...found, ...unknown];
};

const noInputs: ReadonlyMap<string, Finding> = /* @__PURE__ */ new Map();

/** A misspelt input that stands for it is the better fix. */
const missing = (node: PromptNode, input: InputDefinition, isClaimed: boolean): Finding | Breakdown => {
  const fix = isClaimed ? undefined : input.options['default'];
  return checksFile(node.className, input)
    ? { breaksDown: 'is missing.' }
    : error(
        'required_input_missing',
        'is missing, and required.',
        Array.isArray(fix) ? { __value__: fix } : fix,
      );
};

/** The engine tries to find each input even in what is no object. */
const oddInputs = ({ inputs, definition }: PromptNode): Found => {
  const isSearchable = typeof inputs === 'string' || Array.isArray(inputs);
  if (inputs === undefined || (!isSearchable && definition.inputs.length > 0))
    return [
      [
        'inputs',
        { breaksDown: inputs === undefined ? 'are missing.' : `are ${shown(inputs)}.`, fix: undefined },
      ],
    ];
  if (!isSearchable) return [];
  return definition.inputs.flatMap((input): Found => {
    if (inputs.includes(input.name))
      return [[input.name, { breaksDown: `can't be read, as the inputs are ${shown(inputs)}.` }]];
    return input.group === 'required'
      ? [[input.name, error('required_input_missing', 'is missing, and required.')]]
      : [];
  });
};

const thrown = ({ definition }: PromptNode, { breaksDown, fix }: Breakdown): Finding =>
  error(
    definition.isOutputNode ? 'exception_during_validation' : 'exception_during_inner_validation',
    breaksDown,
    fix,
  );

const problemOf = ({ id, className }: PromptNode, input: string, finding: Finding): Problem => ({
  nodeId: id,
  input,
  ...finding,
  message: `Node ${id} (${className}): ${input} ${finding.message}`,
});

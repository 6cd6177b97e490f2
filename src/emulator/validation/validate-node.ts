import { checkLink } from './check-link.js';
import { checkLiteral } from './check-literal.js';
import type { Crash, NodeVerdict, Problem, ValidateLinked, ValidationScope } from './problem.js';
import type { GraphNode } from '../scheduler/graph.js';
import type { InputSpec, NodeClass, NodeDefinition } from '../engine/node-class.js';

/** Validates one node; `validate` validates the nodes that its links lead to. */
export const validateNode = (
  nodeId: string,
  scope: ValidationScope,
  validate: ValidateLinked,
): NodeVerdict => {
  const node = scope.graph.get(nodeId);
  const definition = node && scope.definitionOf(node);
  if (!node || !definition || !node.inputs) return crashed({ type: 'KeyError', message: "'inputs'" });
  const problems: Problem[] = [];
  const inputs: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  let valid = true;

  for (const { name, spec, isRequired } of inputSpecs(definition, node.inputs)) {
    if (!Object.hasOwn(node.inputs, name)) {
      if (isRequired) problems.push(missing(name));
      continue;
    }
    const checked = checkInput(name, spec, node, scope, validate);
    if ('crash' in checked) return crashed(checked.crash);
    if (checked.problem) problems.push(checked.problem);
    valid &&= checked.valid;
    inputs[name] = checked.value;
  }
  addUndeclared(inputs, node, scope);
  const own = customProblem(scope.classOf(node), definition, inputs, scope);
  if (own && 'crash' in own) return crashed(own.crash);
  if (own) problems.push(own.problem);
  return { valid: valid && problems.length === 0, problems, inputs };
};

/** Adds the inputs that the definition lacks, where the class takes them. */
const addUndeclared = (inputs: Record<string, unknown>, node: GraphNode, scope: ValidationScope): void => {
  if (scope.classOf(node)?.takesAnything !== true) return;
  for (const [name, value] of Object.entries(node.inputs ?? {}))
    if (!Object.hasOwn(inputs, name)) inputs[name] = value;
};

/** Checks what an input has: a link, or a literal. */
const checkInput = (
  name: string,
  spec: InputSpec,
  node: GraphNode,
  scope: ValidationScope,
  validate: ValidateLinked,
):
  | { readonly value: unknown; readonly valid: boolean; readonly problem?: Problem | undefined }
  | { readonly crash: Crash } => {
  const received = node.inputs?.[name];
  if (Array.isArray(received)) {
    const link = checkLink(name, spec, received, scope, validate);
    return 'crash' in link ? link : { ...link, value: received };
  }
  const nodeClass = scope.classOf(node);
  const isFree = nodeClass?.takesAnything === true || isFileChoice(spec, nodeClass);
  const checkedSpec = isFree ? anything : spec;
  const literal = checkLiteral(name, checkedSpec, received, scope);
  return 'crash' in literal ? literal : { ...literal, valid: true };
};

const crashed = (crash: Crash): NodeVerdict => ({ valid: false, problems: [], inputs: {}, crash });

const anything: InputSpec = ['*'];

interface NamedSpec {
  readonly name: string;
  readonly spec: InputSpec;
  readonly isRequired: boolean;
}

/** The definition's inputs; those that grow at run time stand in the workflow as `name.part`, of any type. */
const inputSpecs = (definition: NodeDefinition, inputs: GraphNode['inputs']): readonly NamedSpec[] => {
  const group = (specs: Readonly<Record<string, InputSpec>> | undefined, isRequired: boolean): NamedSpec[] =>
    Object.entries(specs ?? {}).flatMap(([name, spec]) => {
      if (!isDynamic(spec)) return [{ name, spec, isRequired }];
      const parts = Object.keys(inputs ?? {}).filter((key) => key === name || key.startsWith(`${name}.`));
      return parts.map((part) => ({ name: part, spec: anything, isRequired: false }));
    });
  return [...group(definition.input.required, true), ...group(definition.input.optional, false)];
};

const isDynamic = ([type]: InputSpec): boolean => typeof type === 'string' && /^COMFY_.*_V3$/.test(type);

/** A node with its own check validates its file choices itself. */
const isFileChoice = ([, options = {}]: InputSpec, nodeClass: NodeClass | undefined): boolean =>
  nodeClass?.validate !== undefined && Object.keys(options).some((option) => option.endsWith('_upload'));

const missing = (name: string): Problem => ({
  type: 'required_input_missing',
  message: 'Required input is missing',
  details: name,
  extra_info: { input_name: name },
});

const customProblem = (
  nodeClass: NodeClass | undefined,
  definition: NodeDefinition,
  inputs: Readonly<Record<string, unknown>>,
  { exists }: ValidationScope,
): { readonly problem: Problem } | { readonly crash: Crash } | undefined => {
  const specs = Object.entries({ ...definition.input.required, ...definition.input.optional });
  const name = (specs.find(([, spec]) => isFileChoice(spec, nodeClass)) ?? specs[0])?.[0] ?? '';
  if (nodeClass?.validate !== undefined && !(name in inputs)) {
    const message = `${definition.name}.VALIDATE_INPUTS() missing 1 required positional argument: '${name}'`;
    return { crash: { type: 'TypeError', message } };
  }
  const literals = Object.fromEntries(Object.entries(inputs).filter(([, value]) => !Array.isArray(value)));
  const message = nodeClass?.validate?.(literals, { exists });
  if (message === undefined) return undefined;
  const details = `${name} - ${message}`;
  const text = 'Custom validation failed for node';
  return {
    problem: { type: 'custom_validation_failed', message: text, details, extra_info: { input_name: name } },
  };
};

import { fieldsOf } from './describe-inputs.js';
import type { FormField } from './form-field.js';
import { type Either, left, right } from '../../core/protocol/either.js';
import { type FieldRule, ruleOf } from './field-rule.js';
import { type JsonSchema, schemaOfField } from './field-schema.js';
import { type TemplateOutput, templateOutputs } from './template-outputs.js';
import type { TemplateInputs, TemplateTargets } from './template-types.js';
import { checkValue } from './check-value.js';
import { error, suggesting } from '../validate/finding.js';
import { findInputBy, type InputPlace } from './find-input.js';
import { inputFinder } from './find-by-name.js';
import type { InputProblem } from '../../core/protocol/problem.js';
import type { InvalidTarget } from './target.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { likeIt, nearestNames } from './nearest-names.js';
import type { NodeDefinitions } from '../definitions.js';
import { serviceError } from '../../core/errors/service-error.js';
import { withValues } from './set-input.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** Why a template does not take inputs: a `ServiceError` of this tag. */
export interface InvalidInputs extends Error {
  /** As of every `ServiceError`. */
  readonly _tag: 'InvalidInputs';
  /** All that is wrong with them. */
  readonly problems: readonly InputProblem[];
  /** What to do about it. */
  readonly hint: string;
  /** As of every `ServiceError`. */
  readonly retry: 'never';
  /** The address of the tag's page. */
  readonly docsUrl: string;
}

/** One input of a template, as a form shows it. */
export interface TemplateField extends FormField {
  /** The template's own name of the input. */
  readonly key: string;
  /** Whether a call may leave it out. */
  readonly optional: boolean;
}

/** A workflow with named inputs: a function from their values to the workflow, and what describes them, as plain data. */
export interface Template<Inputs> {
  /** The workflow with these values; Left with every problem where one is wrong, missing or too many. */
  (inputs: Inputs): Either<InvalidInputs, Workflow>;
  /** The inputs as a form shows them, in the order of their names. */
  readonly fields: readonly TemplateField[];
  /** The nodes whose results a job of it has, by the names of `outputsByTitle`. */
  readonly outputs: readonly TemplateOutput[];
  /** The JSON Schema (2020-12) of the inputs: it accepts the JSON values that the function accepts. */
  readonly jsonSchema: JsonSchema;
}

/**
 * Makes a function of a workflow: it takes values for the inputs that are named here, checks them and sets them, and nothing else.
 *
 * A target is a name (`Positive.text`, see `findInput`) or an `InputTarget`; `optional: true` lets a call leave it out. The function
 * is Left `InvalidInputs` for values of another type, beyond the bounds or not in the list of the definitions, for missing inputs and for
 * unknown ones; lists and bounds of a class of another package, which may check its inputs itself, refuse nothing. A value replaces a link; a list is a literal, so that no value can link to another node. A file input takes any name.
 * Integers beyond 2^53 may be `bigint`, which JSON Schemas don't know.
 * Without definitions the type of the workflow's own value counts.
 *
 * Left is the error of the first target that is no input of the workflow.
 *
 * @param definitions - The service's `object_info`, as `client.rest.objectInfo()` gives it.
 *
 * @example
 * ```ts
 * import { type NodeDefinitions, template } from 'promptwire/workflow';
 * import type { Workflow } from 'promptwire';
 *
 * const portrait = (workflow: Workflow, definitions: NodeDefinitions) => {
 *   const made = template(workflow, { prompt: 'Positive.text', seed: 'KSampler.seed' }, definitions);
 *   if (made._tag === 'Left') throw made.left;
 *   return made.right({ prompt: 'a lighthouse at dusk', seed: 7 });
 * };
 * ```
 */
export const template = <
  const Targets extends TemplateTargets,
  Definitions extends NodeDefinitions = NodeDefinitions,
>(
  workflow: Workflow,
  targets: Targets,
  definitions?: Definitions,
): Either<InvalidTarget, Template<TemplateInputs<Targets, Definitions>>> => {
  const find = inputFinder(workflow);
  const places = new Map<string, InputPlace>();
  for (const [key, target] of Object.entries(targets)) {
    const found = findInputBy(find, workflow, target, definitions);
    if (found._tag === 'Left') return found;
    places.set(key, found.right);
  }
  const ofNodes = new Set(Array.from(places.values(), ({ nodeId }) => nodeId));
  const described = fieldsOf(workflow, definitions, { ofNodes });
  const slots = Array.from(places, ([key, { nodeId, input }], order): Slot => {
    const known = described.find((field) => field.nodeId === nodeId && field.input === input);
    const target = targets[key];
    const optional = typeof target === 'object' && target.optional === true;
    const field = { ...(known ?? undescribed(workflow, nodeId, input)), key, optional, order };
    return { field, rule: ruleOf(field) };
  });
  const fill = (inputs: unknown): Either<InvalidInputs, Workflow> => {
    const problems = problemsOf(slots, inputs);
    if (problems.length > 0) return left(refusal(problems));
    const given = inputs as Readonly<Record<string, unknown>>;
    const filled = slots.filter(({ field: { key } }) => has(given, key));
    return right(
      withValues(
        workflow,
        filled.map(({ field: { key, nodeId, input } }) => ({ nodeId, input, value: literalOf(given[key]) })),
      ),
    );
  };
  return right(
    Object.assign(fill, {
      fields: slots.map(({ field }) => field),
      outputs: templateOutputs(workflow, definitions),
      jsonSchema: schemaOf(slots),
    }),
  );
};

interface Slot {
  readonly field: TemplateField;
  readonly rule: FieldRule;
}

/** An input that the workflow does not have yet, of a class that the definitions lack. */
const undescribed = (workflow: Workflow, nodeId: string, input: string): FormField => {
  const node = workflow[nodeId];
  const className = node?.class_type ?? '';
  return {
    name: `${nodeId}.${input}`,
    nodeId,
    input,
    class: className,
    title: node?._meta?.title ?? className,
    label: input,
    order: 0,
    control: 'other',
    type: 'unknown',
    required: false,
  };
};

const literalOf = (value: unknown): unknown => (Array.isArray(value) ? { __value__: value } : value);

const has = (inputs: Readonly<Record<string, unknown>>, key: string): boolean =>
  Object.hasOwn(inputs, key) && inputs[key] !== undefined;

const problemsOf = (slots: readonly Slot[], inputs: unknown): readonly InputProblem[] => {
  if (!isJsonObject(inputs))
    return [{ name: '', ...error('invalid_input_type', 'The inputs are no object of names and values.') }];
  const known = new Map(slots.map((slot) => [slot.field.key, slot]));
  const wrong = slots.flatMap(({ field, rule }): readonly InputProblem[] => {
    const { key, nodeId, input, optional } = field;
    const isGiven = has(inputs, key);
    if (!isGiven && optional) return [];
    const finding = isGiven
      ? checkValue(rule, inputs[key])
      : error('required_input_missing', 'is missing.', field.value ?? field.default);
    return finding === undefined
      ? []
      : [{ name: key, nodeId, input, ...finding, message: `${key} ${finding.message}` }];
  });
  const missing = [...known.keys()].filter((name) => !has(inputs, name));
  const unknown = Object.keys(inputs)
    .filter((key) => !known.has(key) && inputs[key] !== undefined)
    .map((key, at): InputProblem => {
      // Of many names that are wrong, the first ones are suggested another for.
      const nearest = at < maxSuggested ? nearestNames(key, missing) : [];
      const message = `${key} is no input of this template${likeIt(nearest)}.`;
      return { name: key, ...suggesting(error('unknown_input', message), nearest[0]) };
    });
  return [...wrong, ...unknown];
};

const maxSuggested = 10;

const refusal = (problems: readonly InputProblem[]): InvalidInputs => {
  const [first, ...others] = problems;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return serviceError('InvalidInputs', {
    problems,
    message: `${first?.message ?? ''}${more}`,
  }) as InvalidInputs;
};

const schemaOf = (slots: readonly Slot[]): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: Object.fromEntries(slots.map(({ field, rule }) => [field.key, schemaOfField(field, rule)])),
  required: slots.filter(({ field }) => !field.optional).map(({ field }) => field.key),
  additionalProperties: false,
});

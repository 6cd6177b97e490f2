import type { FieldRule } from './field-rule.js';
import type { FormField } from './form-field.js';

/** A JSON Schema (2020-12) as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of the values that a field takes. */
export const schemaOfField = (field: FormField, rule: FieldRule): JsonSchema => {
  const initial = field.value ?? field.default;
  return {
    ...schemaOfRule(rule),
    title: field.title === field.label ? field.label : `${field.title}: ${field.label}`,
    ...(field.tooltip !== undefined && { description: field.tooltip }),
    ...(initial !== undefined && typeof initial !== 'bigint' && { default: initial }),
    ...(!isList(rule) && field.choices !== undefined && { examples: field.choices }),
  };
};

const isList = ({ kind }: FieldRule): boolean => kind === 'choice' || kind === 'choices';

const schemaOfRule = (rule: FieldRule): JsonSchema => {
  switch (rule.kind) {
    case 'integer':
    case 'number':
      return {
        type: rule.kind,
        ...(rule.min !== undefined && { minimum: -largestDouble(-rule.min) }),
        ...(rule.max !== undefined && { maximum: largestDouble(rule.max) }),
      };
    case 'text':
      return { type: 'string' };
    case 'file':
      return { anyOf: [{ type: 'string' }, asset] };
    case 'switch':
      return { type: 'boolean' };
    case 'choice':
      return oneOf(rule.choices);
    case 'choices':
      return { type: 'array', items: oneOf(rule.choices) };
    case 'any':
      return {};
  }
};

/** What `fileInput` gives of a file that the service keeps as an asset. */
const asset: JsonSchema = {
  type: 'object',
  properties: {
    __type: { const: 'core/ASSET' },
    info: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  },
  required: ['__type', 'info'],
};

/** A list without values accepts none. */
const oneOf = (choices: readonly unknown[]): JsonSchema =>
  choices.length === 0 ? { not: {} } : { enum: choices };

/** The largest number that JSON readers with doubles and those with exact integers both find within the bound. */
const largestDouble = (bound: number | bigint): number => {
  if (typeof bound === 'number') return bound;
  let double = Number(bound);
  for (let step = 1; BigInt(double) > bound; step *= 2) double -= step;
  return double;
};

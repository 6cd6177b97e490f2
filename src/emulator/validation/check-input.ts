import type { Crash, Problem, ValidateLinked, ValidationScope } from './problem.js';
import type { InputSpec } from '../engine/node-class.js';

/** The result of checking a link; a crash aborts the check of the node that has it. */
export type LinkVerdict = { readonly valid: boolean; readonly problem?: Problem } | { readonly crash: Crash };

/** Checks an array value: it must be `[nodeId, slot]` and name an existing slot of a fitting type of a valid node. */
export const checkLink = (
  name: string,
  spec: InputSpec,
  received: readonly unknown[],
  { graph, definitionOf }: ValidationScope,
  validate: ValidateLinked,
): LinkVerdict => {
  const info = { input_name: name, input_config: spec };
  if (received.length !== 2) {
    const extra_info = { ...info, received_value: received };
    return problem('bad_linked_input', 'A link is a list of node id and slot', name, extra_info);
  }
  const [upstreamId, slot] = received;
  const upstream = typeof upstreamId === 'string' ? graph.get(upstreamId) : undefined;
  if (!upstream || typeof upstreamId !== 'string') {
    return { crash: { type: 'KeyError', message: JSON.stringify(upstreamId) } };
  }
  const type = typeof slot === 'number' ? definitionOf(upstream)?.output[slot] : undefined;
  if (type === undefined)
    return { crash: { type: 'IndexError', message: `no slot ${JSON.stringify(slot)}` } };
  if (!typesMatch(type, spec[0])) {
    const details = `${name}, ${nameOf(type)} does not fit ${nameOf(spec[0])}`;
    const extra_info = { ...info, received_type: type, linked_node: received };
    return problem('return_type_mismatch', 'The linked output has another type', details, extra_info);
  }
  return { valid: validate(upstreamId, { name, spec, link: received }).valid };
};

const problem = (
  type: string,
  message: string,
  details: string,
  extra_info: Problem['extra_info'],
): LinkVerdict => ({
  valid: false,
  problem: { type, message, details, extra_info },
});

const nameOf = (type: string | readonly unknown[]): string =>
  typeof type === 'string' ? type : JSON.stringify(type);

/** An output's or input's type: a name, names separated by commas, or the list of a combo. */
export type SlotType = string | readonly unknown[];

/** True where an output may feed an input: equal, one name in common, equal lists, or a wildcard on either side. */
const typesMatch = (output: SlotType, input: SlotType): boolean => {
  if (output === '*' || input === '*') return true;
  if (typeof output === 'string' && typeof input === 'string') {
    const offered = new Set(output.split(','));
    return input.split(',').some((name) => offered.has(name));
  }
  if (typeof output === 'string' || typeof input === 'string') return output === 'COMBO' || input === 'COMBO';
  return output.length === input.length && output.every((value, index) => value === input[index]);
};

/** Checks a literal against its spec: type, bounds (both inclusive) and list; `value` is what will run. */
export const checkLiteral = (
  name: string,
  spec: InputSpec,
  received: unknown,
): { readonly value: unknown; readonly problem?: Problem } => {
  const [type, options = {}] = spec;
  const problem = (
    kind: string,
    message: string,
    details: string,
    more: object = {},
  ): { value: unknown; problem: Problem } => ({
    value: received,
    problem: {
      type: kind,
      message,
      details,
      extra_info: { input_name: name, input_config: spec, received_value: received, ...more },
    },
  });
  const coerced = coerce(typeof type === 'string' ? type : 'COMBO', received);
  if ('problem' in coerced) {
    const details = `${name}, ${coerced.problem}`;
    return problem('invalid_input_type', 'The value has another type', details, {
      exception_message: coerced.problem,
    });
  }
  const { value } = coerced;
  const { min, max } = options;
  if (typeof value === 'number' && typeof min === 'number' && value < min) {
    return problem('value_smaller_than_min', `The value ${value} is below ${min}`, name);
  }
  if (typeof value === 'number' && typeof max === 'number' && value > max) {
    return problem('value_bigger_than_max', `The value ${value} is above ${max}`, name);
  }
  const allowed = allowedValues(type, options);
  const chosen = unwrapList(value, options);
  const stranger = allowed ? chosen.find((one) => !allowed.includes(one)) : undefined;
  if (allowed && stranger !== undefined) {
    const isLong = allowed.length > LONGEST_SHOWN_LIST;
    const list = isLong ? `a list of ${allowed.length}` : JSON.stringify(allowed);
    const details = `${name}: ${JSON.stringify(stranger)} is not in ${list}`;
    return problem(
      'value_not_in_list',
      'The value is not in the list',
      details,
      isLong ? { input_config: null } : {},
    );
  }
  return { value };
};

const LONGEST_SHOWN_LIST = 20;

/** The list of a combo, in either notation; undefined where the values are fetched remotely. */
const allowedValues = (
  type: InputSpec[0],
  options: Readonly<Record<string, unknown>>,
): readonly unknown[] | undefined => {
  if (typeof type !== 'string') return type;
  const isListed =
    type === 'COMBO' && Array.isArray(options['options']) && options['remote_combo'] === undefined;
  return isListed ? (options['options'] as readonly unknown[]) : undefined;
};

/** The values to look up: each of a multiple choice, otherwise the value itself. */
const unwrapList = (value: unknown, options: Readonly<Record<string, unknown>>): readonly unknown[] => {
  const isMultiple = options['multiselect'] === true || options['multi_select'] !== undefined;
  const inner = typeof value === 'object' && value !== null && '__value__' in value ? value.__value__ : value;
  return isMultiple && Array.isArray(inner) ? inner : [value];
};

/** A literal converted to the type of its input, or the problem. */
export type Coerced = { readonly value: unknown } | { readonly problem: string };

/** Converts a literal as the service does before its checks: `"20"` is an INT, any non-empty text is true. */
const coerce = (type: string, value: unknown): Coerced => {
  switch (type) {
    case 'INT':
      return number(value, type, Math.trunc);
    case 'FLOAT':
      return number(value, type, (read) => read);
    case 'STRING':
      return { value: typeof value === 'string' ? value : textOf(value) };
    case 'BOOLEAN':
      return { value: isTruthy(value) };
    default:
      return { value };
  }
};

const number = (value: unknown, type: string, shape: (read: number) => number): Coerced => {
  const problem = { problem: `${textOf(value)} is no ${type}` };
  if (typeof value === 'boolean') return { value: Number(value) };
  if (typeof value === 'number') return { value: shape(value) };
  if (typeof value !== 'string' || value.trim() === '') return problem;
  const read = Number(value);
  if (!Number.isFinite(read) || (type === 'INT' && !/^\s*[+-]?\d+\s*$/.test(value))) return problem;
  return { value: shape(read) };
};

const isTruthy = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

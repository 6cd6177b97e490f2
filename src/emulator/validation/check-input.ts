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
    return problem(
      'bad_linked_input',
      'Bad linked input, must be a length-2 list of [node_id, slot_index]',
      name,
      extra_info,
    );
  }
  const [upstreamId, index] = received;
  const upstream = typeof upstreamId === 'string' ? graph.get(upstreamId) : undefined;
  if (!upstream || typeof upstreamId !== 'string') {
    return { crash: { type: 'KeyError', message: JSON.stringify(upstreamId) } };
  }
  // An index of a Python tuple: negative ones count from the end, and true is 1.
  const slot = typeof index === 'boolean' ? Number(index) : index;
  if (typeof slot !== 'number' || !Number.isInteger(slot))
    return { crash: { type: 'TypeError', message: `no slot ${JSON.stringify(index)}` } };
  const type = definitionOf(upstream)?.output.at(slot);
  if (type === undefined)
    return { crash: { type: 'IndexError', message: `no slot ${JSON.stringify(index)}` } };
  if (!typesMatch(type, spec[0])) {
    const details = `${name}, received_type(${nameOf(type)}) mismatch input_type(${nameOf(spec[0])})`;
    const extra_info = { ...info, received_type: type, linked_node: received };
    return problem('return_type_mismatch', 'Return type mismatch between linked nodes', details, extra_info);
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
    const offered = new Set(output.split(',').map((name) => name.trim()));
    return input.split(',').some((name) => offered.has(name.trim()));
  }
  if (typeof output === 'string' || typeof input === 'string') return false;
  return output.length === input.length && output.every((value, at) => isEqual(value, input[at]));
};

/** Python's equality of literals: `1`, `1.0` and `true` are one value. */
const isEqual = (one: unknown, other: unknown): boolean =>
  (typeof one === 'boolean' ? Number(one) : one) === (typeof other === 'boolean' ? Number(other) : other);

/** The result of checking a literal: `value` is what will run; a crash aborts the check of the node. */
export type LiteralVerdict =
  { readonly value: unknown; readonly problem?: Problem } | { readonly crash: Crash };

/** Checks a literal against its spec: type, bounds (both inclusive, also of types other than numbers) and list. */
export const checkLiteral = (name: string, spec: InputSpec, given: unknown): LiteralVerdict => {
  const [type, options = {}] = spec;
  const received = unwrap(given);
  const problem = (kind: string, message: string, details: string, more: object = {}): LiteralVerdict => ({
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
    return problem(
      'invalid_input_type',
      `Failed to convert an input value to a ${String(type)} value`,
      details,
      {
        exception_message: coerced.problem,
      },
    );
  }
  const { value } = coerced;
  const bounds = [
    ['value_smaller_than_min', 'smaller than min', options['min'], -1],
    ['value_bigger_than_max', 'bigger than max', options['max'], 1],
  ] as const;
  for (const [kind, word, bound, sign] of bounds) {
    if (typeof bound !== 'number') continue;
    const compared = typeof value === 'boolean' ? Number(value) : value;
    if (typeof compared !== 'number')
      return { crash: { type: 'TypeError', message: `${textOf(value)} has no order with ${bound}` } };
    if ((compared - bound) * sign > 0)
      return problem(kind, `Value ${compared} ${word} of ${bound}`, name, { received_value: value });
  }
  const allowed = allowedValues(type, options);
  const chosen = isMultiple(options) && Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const stranger = allowed
    ? chosen.find((one) => !allowed.some((option) => isEqual(option, one)))
    : undefined;
  if (allowed && stranger !== undefined) {
    const isLong = allowed.length > LONGEST_SHOWN_LIST;
    const list = isLong ? `(list of length ${allowed.length})` : JSON.stringify(allowed);
    const details = `${name}: ${JSON.stringify(stranger)} not in ${list}`;
    return problem('value_not_in_list', 'Value not in list', details, isLong ? { input_config: null } : {});
  }
  // A list stays wrapped in the graph that runs, where it would be a link otherwise.
  return { value: Array.isArray(value) ? given : value };
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

/** Whether each member of a list is looked up, in place of the list itself. */
const isMultiple = (options: Readonly<Record<string, unknown>>): boolean =>
  options['multiselect'] === true || options['multi_select'] !== undefined;

/** A list stands in `{ __value__: [] }`, since it would be a link otherwise. */
const unwrap = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '__value__' in value ? value.__value__ : value;

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
  const read = typeof value === 'string' ? numberOf(value, type) : value;
  if (typeof read !== 'number' || (type === 'INT' && !Number.isFinite(read))) return problem;
  return { value: shape(read) };
};

/** What Python's `int()` or `float()` reads in a text. */
const numberOf = (text: string, type: string): number | undefined => {
  const plain = text.trim().replace(/(?<=\d)_(?=\d)/g, '');
  if (/^[+-]?\d+$/.test(plain)) return Number(plain);
  if (type === 'INT') return undefined;
  if (/^[+-]?nan$/i.test(plain)) return NaN;
  if (/^[+-]?inf(inity)?$/i.test(plain)) return plain.startsWith('-') ? -Infinity : Infinity;
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : undefined;
};

const isTruthy = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

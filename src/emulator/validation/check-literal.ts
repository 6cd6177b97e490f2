import { coerce } from './coerce.js';
import type { Crash, Problem } from './problem.js';
import { floatText, reprOf, strOf, typeNameOf } from '../engine/python-words.js';
import type { InputSpec } from '../engine/node-class.js';
import { isEqual } from './check-link.js';

/** The result of checking a literal: `value` is what will run; a crash aborts the check of the node. */
export type LiteralVerdict =
  { readonly value: unknown; readonly problem?: Problem } | { readonly crash: Crash };

/**
 * Checks a literal against its spec: type, bounds (both inclusive, also of types other than numbers) and list.
 *
 * Engines before 2026 do not look into the options of a combo in the newer notation.
 */
export const checkLiteral = (
  name: string,
  spec: InputSpec,
  given: unknown,
  { checksNewCombos = true }: { readonly checksNewCombos?: boolean } = {},
): LiteralVerdict => {
  const [type, options = {}] = spec;
  const received = unwrap(given);
  const problem = (kind: string, message: string, details: string, more: object = {}): LiteralVerdict => ({
    value: received,
    problem: {
      type: kind,
      message,
      details,
      extra_info: { input_name: name, input_config: [type, options], received_value: received, ...more },
    },
  });
  const coerced = coerce(typeof type === 'string' ? type : 'COMBO', received);
  if ('problem' in coerced) {
    const message = `Failed to convert an input value to a ${strOf(type)} value`;
    const details = `${name}, ${strOf(received)}, ${coerced.problem}`;
    return problem('invalid_input_type', message, details, { exception_message: coerced.problem });
  }
  const { value } = coerced;
  const bound = beyondBound(type, options, value);
  if (bound && 'crash' in bound) return bound;
  if (bound) return problem(bound.kind, bound.message, name, { received_value: value });
  const allowed = allowedValues(type, options, checksNewCombos);
  const stranger = allowed && strangerTo(allowed, options, value);
  if (stranger) {
    const isLong = allowed.length > LONGEST_SHOWN_LIST;
    const list = isLong ? `(list of length ${allowed.length})` : reprOf(allowed);
    const details = `${name}: '${strOf(stranger.value)}' not in ${list}`;
    return problem('value_not_in_list', 'Value not in list', details, isLong ? { input_config: null } : {});
  }
  // A list stays wrapped in the graph that runs, where it would be a link otherwise.
  return { value: Array.isArray(value) ? given : value };
};

const LONGEST_SHOWN_LIST = 20;

type BoundVerdict =
  { readonly kind: string; readonly message: string } | { readonly crash: Crash } | undefined;

/** The bound that a value passes; a crash where the two have no order. */
const beyondBound = (
  type: InputSpec[0],
  { min, max }: Readonly<Record<string, unknown>>,
  value: unknown,
): BoundVerdict => {
  const bounds = [
    ['value_smaller_than_min', 'smaller than min', min, '<'],
    ['value_bigger_than_max', 'bigger than max', max, '>'],
  ] as const;
  const text = (number: number | bigint): string =>
    type === 'FLOAT' && typeof number === 'number' ? floatText(number) : String(number);
  for (const [kind, word, bound, sign] of bounds) {
    if (typeof bound !== 'number' && typeof bound !== 'bigint') continue;
    const compared = typeof value === 'boolean' ? Number(value) : value;
    if (typeof compared !== 'number' && typeof compared !== 'bigint') {
      const types = `'${typeNameOf(value)}' and '${type === 'FLOAT' ? 'float' : typeNameOf(bound)}'`;
      const message = `'${sign}' not supported between instances of ${types}`;
      return { crash: { type: 'TypeError', message } };
    }
    // A comparison of a number with a bigint is exact; a difference is not.
    if (sign === '<' ? compared < bound : compared > bound)
      return { kind, message: `Value ${text(compared)} ${word} of ${text(bound)}` };
  }
  return undefined;
};

/** The list of a combo, in either notation; undefined if the values are fetched remotely, or nothing looks at them. */
const allowedValues = (
  type: InputSpec[0],
  options: Readonly<Record<string, unknown>>,
  checksNewCombos: boolean,
): readonly unknown[] | undefined => {
  if (typeof type !== 'string') return type;
  const isListed =
    type === 'COMBO' && Array.isArray(options['options']) && options['remote_combo'] === undefined;
  return isListed && checksNewCombos ? (options['options'] as readonly unknown[]) : undefined;
};

/** The first of the chosen values that the list of a combo lacks. */
const strangerTo = (
  allowed: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
  value: unknown,
): { readonly value: unknown } | undefined => {
  const chosen: readonly unknown[] = isMultiple(options) && Array.isArray(value) ? value : [value];
  const at = chosen.findIndex((one) => !allowed.some((option) => isEqual(option, one)));
  return at < 0 ? undefined : { value: chosen[at] };
};

/** Whether each member of a list is looked up, in place of the list itself. */
const isMultiple = (options: Readonly<Record<string, unknown>>): boolean =>
  options['multiselect'] === true || options['multi_select'] !== undefined;

/** A list stands in `{ __value__: [] }`, since it would be a link otherwise. */
const unwrap = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '__value__' in value ? value.__value__ : value;

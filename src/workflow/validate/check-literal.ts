import { areFiles, choicesOf, isMultiple, textsOf } from './choices.js';
import { type Breakdown, error, type Finding, shown, warning } from './finding.js';
import { namesOtherFolder, withoutFolder } from './file-checks.js';
import { convert } from './convert-literal.js';
import type { InputDefinition } from '../definitions.js';
import { isBelow } from './engine-values.js';
import { isJsonObject } from '../../protocol/json/json.js';
import type { Rules } from './rules.js';
import type { Suggest } from './suggest.js';

/** What checks share within one validation. */
export interface CheckScope {
  readonly rules: Rules;
  readonly suggest: Suggest;
}

/**
 * Checks a literal in the engine's order: its type, its bounds, its list. The first failure ends the check.
 *
 * `isFile` is of an input whose class looks for a file of this name itself.
 */
export const checkLiteral = (
  input: InputDefinition,
  given: unknown,
  isFile: boolean,
  scope: CheckScope,
): Finding | Breakdown | undefined => {
  const isWrapped = isJsonObject(given) && Object.hasOwn(given, '__value__');
  const literal = isWrapped ? given['__value__'] : given;
  const { value, finding } = convert(input, literal);
  if (finding?.severity === 'error') return finding;
  if (isFile) return checkFile(input, value, scope);
  return checkBounds(input, value) ?? checkList(input, value, scope) ?? finding;
};

const checkBounds = (input: InputDefinition, value: unknown): Finding | Breakdown | undefined => {
  const { min, max } = input.options;
  const fix = (bound: unknown): unknown =>
    typeof bound === 'number' && isWithin(input, bound) ? bound : undefined;
  if (min !== undefined) {
    const isSmaller = isBelow(value, boundFor(value, min));
    if (isSmaller === undefined) return incomparable(value, min);
    if (isSmaller)
      return error(
        'value_smaller_than_min',
        `is ${shown(value)}, below its minimum of ${shown(min)}.`,
        fix(min),
      );
  }
  if (max !== undefined) {
    const isBigger = isBelow(boundFor(value, max), value);
    if (isBigger === undefined) return incomparable(value, max);
    if (isBigger)
      return error(
        'value_bigger_than_max',
        `is ${shown(value)}, above its maximum of ${shown(max)}.`,
        fix(max),
      );
  }
  return undefined;
};

const isWithin = ({ options: { min, max } }: InputDefinition, value: number): boolean =>
  isBelow(value, min ?? value) === false && isBelow(max ?? value, value) === false;

const incomparable = (value: unknown, bound: unknown): Breakdown => ({
  breaksDown: `is ${shown(value)}, which the engine can't compare with its bound ${shown(bound)}.`,
});

/**
 * The largest seed is 2^64 - 1, which a double rounds up, in the definition as in the workflow: a number that was rounded
 * alike is within the bound, and an exact integer is compared with the exact bound.
 */
const boundFor = (value: unknown, bound: unknown): unknown => {
  if (typeof value !== 'bigint') return bound;
  return bound === 2 ** 64 ? largest : bound === -(2 ** 64) ? -largest : bound;
};

const largest = 0xffff_ffff_ffff_ffffn;

/** Only engines since 2026 look at the newer form of a list. */
const checkList = (
  input: InputDefinition,
  value: unknown,
  { rules, suggest }: CheckScope,
): Finding | undefined => {
  const listed = choicesOf(input);
  if (listed === undefined || input.choices === undefined) return undefined;
  const chosen =
    isMultiple(input) && !input.isListForm && Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const stray = chosen.findIndex((one) => !listed.has(one));
  if (stray < 0) return undefined;
  const say = input.isListForm || rules === '2026' ? error : warning;
  const fix = chosen.length === 1 ? nearestChoice(chosen[stray], input, suggest) : undefined;
  const finding = say(
    'value_not_in_list',
    `is ${shown(chosen[stray])}, which is none of ${listText(input.choices)}${meant(fix)}.`,
    fix,
  );
  return areFiles(input) ? { ...finding, serverOnly: true } : finding;
};

const nearestChoice = (value: unknown, { choices = [] }: InputDefinition, suggest: Suggest): unknown => {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return choices.find((choice) => choice === String(value));
  if (typeof value !== 'string') return undefined;
  const asNumber = value.trim() === '' ? NaN : Number(value);
  return choices.includes(asNumber) ? asNumber : suggest(value, textsOf(choices));
};

const listText = (choices: readonly unknown[]): string =>
  choices.length > 8 ? `the ${choices.length} values of its list` : `[${choices.map(shown).join(', ')}]`;

const meant = (fix: unknown): string => (fix === undefined ? '' : `; ${shown(fix)} was meant`);

/** The file must exist, which only the server knows; a value that is no text breaks its check. */
const checkFile = (
  input: InputDefinition,
  value: unknown,
  { suggest }: CheckScope,
): Finding | Breakdown | undefined => {
  if (typeof value !== 'string')
    return { breaksDown: `is ${shown(value)}, where the class takes the name of a file.` };
  const listed = choicesOf(input);
  if (listed === undefined || listed.has(withoutFolder(value)) || namesOtherFolder(value)) return undefined;
  const fix = nearestChoice(value, input, suggest);
  return {
    ...warning(
      'file_not_in_list',
      `is ${shown(value)}, a file that the server does not list${meant(fix)}.`,
      fix,
    ),
    serverOnly: true,
  };
};

import { areFiles, choicesOf, isMultiple } from './choices.js';
import { error, type Finding, isWhat, meant, shown, suggesting, thrown, warning } from './finding.js';
import { namesOtherFolder, withoutFolder } from './file-checks.js';
import { scalarText } from '../values.js';
import { convert } from './convert-literal.js';
import type { ClassDefinition, InputDefinition } from '../definitions.js';
import { isBelow } from './engine-values.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import type { Rules } from './rules.js';
import type { Suggest } from './suggest.js';

/** What checks share within one validation. */
export interface CheckScope {
  readonly rules: Rules;
  readonly suggest: Suggest;
}

/** Whose input it is. */
export interface InputOwner {
  /** The input names a file, which the class looks for. */
  readonly isFile: boolean;
  readonly definition: ClassDefinition;
}

/** Checks a literal in the engine's order: its type, its bounds, its list. The first failure ends the check. */
export const checkLiteral = (
  input: InputDefinition,
  given: unknown,
  { isFile, definition }: InputOwner,
  scope: CheckScope,
): Finding | undefined => {
  const isWrapped = isJsonObject(given) && Object.hasOwn(given, '__value__');
  const literal = isWrapped ? given['__value__'] : given;
  const { value, finding } = convert(input, literal);
  if (finding?.severity === 'error') return finding;
  if (isFile) return checkFile(input, value, scope);
  if (definition.takesAnything) return finding;
  const limited = checkBounds(input, value) ?? checkList(input, value, scope);
  if (limited === undefined) return finding;
  return definition.isForeign ? onlyPerhaps(limited) : limited;
};

/** What only the class itself decides: the value may be right as it is, so it has no fix. */
const onlyPerhaps = ({ type, message, fix, suggestion = fix }: Finding): Finding => ({
  ...suggesting(warning(type, message), suggestion),
  serverOnly: true,
});

const checkBounds = (input: InputDefinition, value: unknown): Finding | undefined =>
  checkBound(input, value, 'min', 'value_smaller_than_min', 'below its minimum') ??
  checkBound(input, value, 'max', 'value_bigger_than_max', 'above its maximum');

const checkBound = (
  input: InputDefinition,
  value: unknown,
  name: 'min' | 'max',
  type: string,
  side: string,
): Finding | undefined => {
  const bound = input.options[name];
  if (bound === undefined) return undefined;
  const limit = boundFor(value, bound);
  const isOutside = name === 'min' ? isBelow(value, limit) : isBelow(limit, value);
  if (isOutside === undefined)
    return error(thrown, isWhat(value, `which the engine can't compare with ${shown(bound)}`));
  if (!isOutside) return undefined;
  const right = input.type === 'BOOLEAN' ? bound === 1 : bound;
  const fix = typeof bound === 'number' && isWithin(input, bound) ? right : undefined;
  return error(type, isWhat(value, `${side} of ${shown(bound)}`), fix);
};

const isWithin = ({ options: { min, max } }: InputDefinition, value: number): boolean =>
  isBelow(value, min ?? value) === false && isBelow(max ?? value, value) === false;

/**
 * The largest integers of 63 and 64 bits, which bounds of seeds are, are rounded up by a double, in the definition as in the
 * workflow: a number that was rounded alike is within the bound, and an exact integer is compared with the exact bound.
 */
const boundFor = (value: unknown, bound: unknown): unknown => {
  if (typeof value !== 'bigint' || typeof bound !== 'number') return bound;
  return [2 ** 63, 2 ** 64].includes(Math.abs(bound)) ? BigInt(bound) - BigInt(Math.sign(bound)) : bound;
};

/** Only engines since 2026 look at the newer form of a list. */
const checkList = (
  input: InputDefinition,
  value: unknown,
  { rules, suggest }: CheckScope,
): Finding | undefined => {
  const listed = choicesOf(input);
  if (!listed) return undefined;
  const { values } = listed;
  const chosen = isMultiple(input) && Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const stray = chosen.findIndex((one) => !listed.has(one));
  if (stray < 0) return undefined;
  const say = input.isListForm || rules === '2026' ? error : warning;
  const { same, like } = nearestChoice(chosen[stray], values, suggest);
  // Several values are repaired where one of them is wrong.
  const right = chosen.with(stray, same);
  const isRight = same !== undefined && right.every(listed.has);
  const fix = isRight ? (chosen === value ? { __value__: right } : same) : undefined;
  const what = isWhat(chosen[stray], `which is not one of ${listText(values)}${meant(same, like)}`);
  const finding = suggesting(say('value_not_in_list', what, fix), like);
  return areFiles(values) ? { ...finding, serverOnly: true } : finding;
};

/** The choice that the value is, written in another way, or else one that is like it: a file of the same stem, or one letter apart. */
const nearestChoice = (
  value: unknown,
  choices: readonly unknown[],
  suggest: Suggest,
): { readonly same?: unknown; readonly like?: string } => {
  if (typeof value !== 'string') {
    const text = scalarText(value);
    return { same: choices.find((choice) => choice === text) };
  }
  const asNumber = value.trim() === '' ? NaN : Number(value);
  if (choices.includes(asNumber)) return { same: asNumber };
  const found = suggest(value, choices);
  if (found === undefined) return {};
  return found.differs === 'same' ? { same: found.name } : { like: found.name };
};

const listText = (choices: readonly unknown[]): string =>
  choices.length > 8 ? `the ${choices.length} values of its list` : `[${choices.map(shown).join(', ')}]`;

/** The file must exist, which only the server knows; a value that is no text breaks its check. */
const checkFile = (input: InputDefinition, value: unknown, { suggest }: CheckScope): Finding | undefined => {
  if (typeof value !== 'string') return error(thrown, isWhat(value, 'and no name of a file'));
  const listed = choicesOf(input);
  if (!listed || listed.has(withoutFolder(value)) || namesOtherFolder(value)) return undefined;
  const { same, like } = nearestChoice(value, listed.values, suggest);
  const what = isWhat(value, `which the server does not list${meant(same, like)}`);
  return { ...suggesting(warning('file_not_in_list', what, same), like), serverOnly: true };
};

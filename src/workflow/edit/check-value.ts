import type { FieldRule } from './field-rule.js';
import { error, type Finding, shown, suggesting } from '../validate/finding.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { nearestNames } from './nearest-names.js';

/** What is wrong with a value, as the rest of a sentence that begins with its name; undefined if it is right. */
export const checkValue = (rule: FieldRule, value: unknown): Finding | undefined => {
  switch (rule.kind) {
    case 'any':
      return undefined;
    case 'text':
      return typeof value === 'string' ? undefined : wrongType('a text', value);
    case 'file':
      return typeof value === 'string' || isAsset(value)
        ? undefined
        : wrongType('the name of a file or an asset', value);
    case 'switch':
      return typeof value === 'boolean' ? undefined : wrongType('true or false', value);
    case 'integer':
    case 'number':
      return checkNumber(rule, value);
    case 'choice':
      return checkChoice(rule.choices, value);
    case 'choices':
      if (!Array.isArray(value)) return wrongType('a list', value);
      return value
        .map((one: unknown) => checkChoice(rule.choices, one))
        .find((finding) => finding !== undefined);
  }
};

const wrongType = (wanted: string, value: unknown): Finding =>
  error('invalid_input_type', `takes ${wanted}, not ${shown(value)}.`);

/** What `fileInput` gives of a file that the service keeps as an asset. */
const isAsset = (value: unknown): boolean =>
  isJsonObject(value) &&
  value['__type'] === 'core/ASSET' &&
  isJsonObject(value['info']) &&
  typeof value['info']['id'] === 'string';

type NumberRule = Extract<FieldRule, { readonly kind: 'integer' | 'number' }>;

const checkNumber = ({ kind, min, max }: NumberRule, value: unknown): Finding | undefined => {
  const isNumber =
    typeof value === 'bigint' || (kind === 'integer' ? Number.isInteger(value) : Number.isFinite(value));
  if (!isNumber) return wrongType(kind === 'integer' ? 'a whole number' : 'a number', value);
  const number = value as number | bigint;
  if (min !== undefined && number < min)
    return error('value_smaller_than_min', `is ${shown(value)}, below its minimum of ${min}.`, min);
  if (max !== undefined && number > max)
    return error('value_bigger_than_max', `is ${shown(value)}, above its maximum of ${max}.`, max);
  return undefined;
};

const checkChoice = (choices: readonly unknown[], value: unknown): Finding | undefined => {
  if (choices.includes(value)) return undefined;
  const texts = choices.filter((choice) => typeof choice === 'string');
  const [like] = typeof value === 'string' ? nearestNames(value, texts) : [];
  const listed =
    choices.length > 8 ? `the ${choices.length} values of its list` : `[${choices.map(shown).join(', ')}]`;
  const what = `is ${shown(value)}, which is not one of ${listed}${like === undefined ? '' : `; ${shown(like)} is like it`}.`;
  return suggesting(error('value_not_in_list', what), like);
};

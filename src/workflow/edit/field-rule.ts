import type { FormField } from './form-field.js';

/** What values a field takes: what its JSON Schema and its check are both made of. */
export type FieldRule =
  | { readonly kind: 'integer' | 'number'; readonly min?: number | bigint; readonly max?: number | bigint }
  | { readonly kind: 'text' | 'file' | 'switch' | 'any' }
  | { readonly kind: 'choice' | 'choices'; readonly choices: readonly Choice[] };

/** A value that lists of choices hold. */
export type Choice = string | number | boolean | null;

/**
 * What a field takes; a file takes any name or asset, since a form uploads new ones, and an input of another package's class any value
 * of its type.
 */
export const ruleOf = (field: FormField): FieldRule => {
  const { control, type, value } = field;
  const { min, max, choices }: Limits = field.serverOnly === true ? {} : field;
  if (type === '*') return { kind: 'any' };
  switch (control) {
    case 'integer':
    case 'number':
      return type === 'unknown'
        ? { kind: 'number' }
        : {
            kind: control,
            ...(min !== undefined && { min: exactBound(min) }),
            ...(max !== undefined && { max: exactBound(max) }),
          };
    case 'text':
    case 'file':
      return { kind: control };
    case 'switch':
      return { kind: 'switch' };
    case 'choice':
    case 'choices':
      if (choices !== undefined) return { kind: control, choices: [...new Set(choices.filter(isChoice))] };
      return { kind: control === 'choice' && isOfTexts(field.choices, value) ? 'text' : 'any' };
    case 'other':
      return { kind: 'any' };
  }
};

/** Where no list says it, the workflow's value does. */
const isOfTexts = (choices: readonly unknown[] | undefined, value: unknown): boolean =>
  choices?.every((choice) => typeof choice === 'string') ?? typeof value !== 'number';

type Limits = Pick<FormField, 'min' | 'max' | 'choices'>;

const isChoice = (value: unknown): value is Choice =>
  typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value);

/** The largest seed is 2^64 - 1, which a double can't hold: the definition has 2^64, and the service refuses that. */
const exactBound = (bound: number): number | bigint =>
  bound === 2 ** 64 ? largest : bound === -(2 ** 64) ? -largest : bound;

const largest = 0xffff_ffff_ffff_ffffn;

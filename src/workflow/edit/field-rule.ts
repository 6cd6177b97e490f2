import type { FormField } from './form-field.js';

/** What values a field takes: what its JSON Schema and its check are both made of. */
export type FieldRule =
  | { readonly kind: 'integer' | 'number'; readonly min?: number | bigint; readonly max?: number | bigint }
  | { readonly kind: 'text' | 'file' | 'switch' | 'any' }
  | { readonly kind: 'choice' | 'choices'; readonly choices: readonly Choice[] };

/** A value that lists of choices hold. */
export type Choice = string | number | boolean | null;

/** What a field takes; a file takes any name or asset, since a form uploads new ones. */
export const ruleOf = ({ control, type, min, max, choices, value }: FormField): FieldRule => {
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
      return { kind: control === 'choice' && typeof value !== 'number' ? 'text' : 'any' };
    case 'other':
      return { kind: 'any' };
  }
};

const isChoice = (value: unknown): value is Choice =>
  typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value);

/** The largest seed is 2^64 - 1, which a double can't hold: the definition has 2^64, and the service refuses that. */
const exactBound = (bound: number): number | bigint =>
  bound === 2 ** 64 ? largest : bound === -(2 ** 64) ? -largest : bound;

const largest = 0xffff_ffff_ffff_ffffn;

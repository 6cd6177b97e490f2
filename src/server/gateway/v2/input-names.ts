import { refusal } from './refusal.js';
import type { Refusal } from '../http/refusal.js';

/** The most inputs that a call may set by name, or a template may have. */
const maxInputs = 250;

/** The longest name: a name is read in as many ways as it has points. */
const maxCharacters = 255;

/** Refuses names of inputs that are too many, or too long. */
export const checkNames = (names: readonly string[]): Refusal | undefined => {
  if (names.length > maxInputs)
    return refusal(422, 'invalid_inputs', `There may be ${maxInputs} inputs by name.`);
  return names.some((name) => name.length > maxCharacters)
    ? refusal(422, 'invalid_inputs', `The name of an input may have ${maxCharacters} characters.`)
    : undefined;
};

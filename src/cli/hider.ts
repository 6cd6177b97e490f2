import { redactor } from '../node.js';

/** A shorter key could be a word, and hiding it would spoil every line; no service gives such keys. */
const shortest = 8;

/** Makes what every line that the command writes goes through, once the key is known. */
export const hider = (apiKey: string | undefined): ((text: string) => string) =>
  redactor(apiKey === undefined || apiKey.length < shortest ? [] : [apiKey]);

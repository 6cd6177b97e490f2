import { parseExactJson } from '../../workflow.js';

/** Parses JSON, also as Python writes it: bare `NaN` and `Infinity` become null. Throws for what is no JSON; integers stay exact. */
export const parsePythonJson = (text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch {
    return parseExactJson(
      text.replaceAll(stringOrNumber, (token) => (token.startsWith('"') ? token : 'null')),
    );
  }
};

/** Strings, which stay as they are, and the numbers that JSON does not have; as a part of another word `null` is no JSON either. */
const stringOrNumber = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?Infinity|NaN/gu;

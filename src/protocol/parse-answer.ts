/**
 * Reads the JSON text of an answer, or gives undefined where it is none.
 *
 * A Python server may write bare `NaN` and `Infinity`, which are no JSON; they are read as null rather than losing the
 * whole answer (docs/protocol.md, chapter 11).
 */
export const parseAnswer = (text: string): unknown => parse(text) ?? parse(withoutBareNumbers(text));

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Strings are matched too, so that a `NaN` inside one stays as it is. */
const withoutBareNumbers = (text: string): string =>
  /NaN|Infinity/u.test(text)
    ? text.replace(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/gsu, (token) =>
        token.startsWith('"') ? token : 'null',
      )
    : '';

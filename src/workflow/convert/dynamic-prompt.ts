/**
 * Expands a prompt as the editor does before it queues: strips comments, replaces each `{a|b}` by one of its options, and
 * turns `\{`, `\|`, `\}` into the bare characters. A `{` that never closes loses its brace, a lone `}` stays.
 *
 * @param random - Gives numbers from 0 (inclusive) to 1, one for each choice that is in the result.
 */
export const expandPrompt = (prompt: string, random: () => number): string => {
  const text = withoutComments(prompt);
  if (!/[{\\]/u.test(text)) return text;
  const tokens = text.split(/(\\[^]|[{|}])/u);
  const choices = readChoices(tokens);
  /** Where a chosen option ends → the end of its choice. */
  const ends = new Map<number, number>();
  let expanded = '';
  for (let at = 0; at < tokens.length; at += 1) {
    const marks = choices.get(at);
    if (marks) {
      const chosen = Math.min(marks.length - 2, Math.max(0, Math.floor(random() * (marks.length - 1))));
      ends.set(marks[chosen + 1] ?? at, marks.at(-1) ?? at);
      at = marks[chosen] ?? at;
    } else if (ends.has(at)) at = ends.get(at) ?? at;
    else expanded += tokens[at] ?? '';
  }
  return expanded.replace(/\\([{|}])/gu, '$1');
};

/** Removes line and block comments, also what follows the `//` of an address: the editor does. A block that never ends stays. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[^]*?\*\/|(\/\*[^]*)|\/\/.*/gu, (_, unclosed?: string) =>
    unclosed === undefined ? '' : unclosed.replace(/\/\/.*/gu, ''),
  );

/** For each `{` that opens a choice: its index, those of its `|`, and that of its `}` or the end. */
const readChoices = (tokens: readonly string[]): ReadonlyMap<number, readonly number[]> => {
  const choices = new Map<number, number[]>();
  const open: number[][] = [];
  tokens.forEach((token, at) => {
    if (token === '{') {
      const marks = [at];
      choices.set(at, marks);
      open.push(marks);
    } else if (token === '|') open.at(-1)?.push(at);
    else if (token === '}') open.pop()?.push(at);
  });
  for (const marks of open) marks.push(tokens.length);
  return choices;
};

/**
 * Expands a prompt as the editor does before it queues: strips comments, replaces each `{a|b}` by one of its options, and
 * turns `\{`, `\|`, `\}` into the bare characters. A `{` that never closes loses its brace, a lone `}` stays.
 *
 * @param random - Gives numbers from 0 (inclusive) to 1, one for each choice that is in the result.
 */
export const expandPrompt = (prompt: string, random: () => number): string => {
  const text = withoutComments(prompt);
  if (!/[{\\]/u.test(text)) return text;
  const choices = readChoices(text);
  const parts: string[] = [];
  // The ranges that are left to write, the next one last: choices nest as deeply as the text is long.
  const waiting: (readonly [start: number, end: number])[] = [[0, text.length]];
  for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
    const [start, end] = range;
    const open = nextChoice(text, start, end);
    parts.push(text.slice(start, open));
    const options = choices.get(open);
    if (open >= end || options === undefined) continue;
    const chosen = Math.min(options.length - 2, Math.max(0, Math.floor(random() * (options.length - 1))));
    waiting.push([(options.at(-1) ?? end) + 1, end]);
    waiting.push([(options[chosen] ?? end) + 1, options[chosen + 1] ?? end]);
  }
  return parts.join('').replace(/\\([{|}])/gu, '$1');
};

// Removes line and block comments, also what follows the `//` of an address: the editor does.
const withoutComments = (text: string): string => {
  if (!text.includes('/')) return text;
  const parts: string[] = [];
  let copied = 0;
  let at = text.indexOf('/');
  // Where no block ends any more, further openings need no search.
  let lastEnd = Number.POSITIVE_INFINITY;
  while (at >= 0) {
    let end = -1;
    if (text[at + 1] === '/') {
      end = endOfLine(text, at);
    } else if (text[at + 1] === '*' && at < lastEnd) {
      const close = text.indexOf('*/', at + 2);
      if (close < 0) lastEnd = at;
      else end = close + 2;
    }
    if (end >= 0) {
      parts.push(text.slice(copied, at));
      copied = end;
    }
    at = text.indexOf('/', Math.max(end, at + 1));
  }
  parts.push(text.slice(copied));
  return parts.join('');
};

const endOfLine = (text: string, start: number): number => {
  lineEnd.lastIndex = start;
  return lineEnd.exec(text)?.index ?? text.length;
};

const lineEnd = /[\n\r\u2028\u2029]/gu;

/** For each `{` that opens a choice: its index, those of its `|`, and that of its `}` or the text's end. */
const readChoices = (text: string): ReadonlyMap<number, readonly number[]> => {
  const choices = new Map<number, number[]>();
  const open: number[][] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '{') {
      const marks = [at];
      choices.set(at, marks);
      open.push(marks);
    } else if (character === '|') open.at(-1)?.push(at);
    else if (character === '}') open.pop()?.push(at);
  }
  for (const marks of open) marks.push(text.length);
  return choices;
};

const nextChoice = (text: string, start: number, end: number): number => {
  for (let at = start; at < end; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '{') return at;
  }
  return end;
};

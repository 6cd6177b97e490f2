/** Levels that JSON may have; what people make has a dozen. */
const maxLevels = 64;

/**
 * Shorter texts are not looked at: they hold at most 255 levels, which nothing minds, and are most of what a socket brings.
 */
const shortest = 512;

/**
 * Whether a value that was parsed from a text of 512 characters or more is nested deeper than 64 levels: `JSON.parse` takes
 * a hundred thousand, but `JSON.stringify` and `structuredClone` throw on them, wherever the value has got to by then.
 *
 * The marks that open an object or a list are counted in the text. A level that has most of them leaves too few for many
 * levels below it, so that little of the value is looked at.
 */
export const tooDeep = (text: string, value: unknown): boolean =>
  text.length >= shortest && isNest(value) && isNestedTooDeep(text, value);

const isNestedTooDeep = (text: string, value: object): boolean => {
  let below = countOf(text, '{') + countOf(text, '[') - 1;
  let level: readonly object[] = [value];
  for (let depth = 1; depth + below > maxLevels && level.length > 0; depth += 1) {
    if (depth > maxLevels) return true;
    const next: object[] = [];
    for (const nest of level) {
      for (const member of Object.values(nest)) if (isNest(member)) next.push(member);
    }
    below -= next.length;
    level = next;
  }
  return false;
};

const isNest = (value: unknown): value is object => typeof value === 'object' && value !== null;

const countOf = (text: string, mark: string): number => {
  let count = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) count += 1;
  return count;
};

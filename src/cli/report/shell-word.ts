/** A word as a POSIX shell reads it: in quotes where it holds more than letters, digits and plain marks. */
export const shellWord = (text: string): string =>
  /^[\w.:/@-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

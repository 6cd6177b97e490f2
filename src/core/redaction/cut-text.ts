/**
 * Cuts a text to at most `max` characters, and never through a word: a secret in it stays whole for whoever redacts it later, or goes
 * whole. A text that was cut ends in `…`. Of a word that is longer than any secret the beginning stays.
 */
export const cutText = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const most = max - 1;
  let end = most;
  while (end > 0 && most - end < longestSecret && !between.test(text.charAt(end - 1))) end -= 1;
  return `${text.slice(0, end)}…`;
};

/** No secret is longer, in any encoding. */
export const longestSecret = 1024;

/** What parts words. */
const between = /[\s"'`,;()[\]{}<>]/u;

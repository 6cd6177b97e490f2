/** Writes the characters of a JSON text that act on a terminal, or that no reader sees, as `\u` escapes. */
export const escapeRisky = (json: string): string =>
  json.replace(risky, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

// Characters that JSON.stringify does not escape: DEL, C1, direction and zero-width characters, line separators.
const risky =
  /[\u007F-\u009F\u00AD\u061C\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/gu;

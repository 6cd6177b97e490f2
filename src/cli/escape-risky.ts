/** Writes the characters of a JSON text that act on a terminal, or that no reader sees, as `\u` escapes. */
export const escapeRisky = (json: string): string =>
  json.replace(risky, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );

// Characters that JSON.stringify does not escape: DEL, C1, direction and zero-width characters, line separators, and by their
// halves the tags, U+E0000 to U+E007F.
const risky =
  /[\u007F-\u009F\u00AD\u061C\u180E\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|\uDB40[\uDC00-\uDC7F]/g;

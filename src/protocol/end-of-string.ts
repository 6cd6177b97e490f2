const quote = 0x22;
const backslash = 0x5c;

/** The index after the closing quote of the JSON string that opens at `start`; at or after the text's end without one. */
export const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    at += code === backslash ? 2 : 1;
  }
  return at;
};

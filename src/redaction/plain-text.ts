/**
 * Makes text that came from outside fit for one line of a terminal or a log (see {@link withoutControls}); at most
 * `maxLength` characters (default 2000) are kept.
 */
export const plainText = (text: string, maxLength = 2000): string => {
  const clean = withoutControls(text.slice(0, maxLength * 4));
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean;
};

/** Terminal sequences (CSI, OSC and other strings, two-byte escapes), begun by ESC or by their C1 form. */
const sequences =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/gu;

/** What is left of C0, DEL and C1, and the marks that turn or hide text. */
const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu;

/**
 * Drops terminal sequences, control characters and marks that turn or hide text; line breaks become one space.
 *
 * Takes time linear in the text, whatever is in it.
 */
export const withoutControls = (text: string): string =>
  text
    .replace(sequences, '')
    .replace(controls, (run) => (/[\t-\r\u0085\u2028\u2029]/u.test(run) ? ' ' : ''))
    .trim();

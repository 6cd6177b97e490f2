import { cutText, longestSecret } from './cut-text.js';

/**
 * Makes untrusted text safe for one line of a terminal or a log (see {@link withoutControls}); keeps at most `maxLength`
 * characters (default 2000), and cuts no word through (see {@link cutText}).
 */
export const plainText = (text: string, maxLength = 2000): string => {
  const most = maxLength * 4 + longestSecret;
  const clean = withoutControls(text.slice(0, most));
  return cutText(text.length > most ? `${clean.slice(0, -longestSecret)}…` : clean, maxLength);
};

/** Terminal sequences (CSI, OSC and other strings, two-byte escapes), introduced by ESC or by their C1 form. */
const sequences =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/gu;

/** The remaining C0, DEL and C1 characters, and the marks that change the writing direction or are invisible. */
const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu;

/**
 * Drops terminal sequences, control characters, direction marks and invisible marks; line breaks become one space.
 *
 * Takes time linear in the text's length for any text.
 */
export const withoutControls = (text: string): string =>
  text
    .replace(sequences, '')
    .replace(controls, (run) => (/[\t-\r\u0085\u2028\u2029]/u.test(run) ? ' ' : ''))
    .trim();

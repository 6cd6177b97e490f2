import { withoutControls } from './without-controls.js';

/**
 * Makes text that came from outside fit for one line of a terminal or a log (see {@link withoutControls}); at most
 * `maxLength` characters (default 2000) are kept.
 */
export const plainText = (text: string, maxLength = 2000): string => {
  const clean = withoutControls(text.slice(0, maxLength * 4));
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean;
};

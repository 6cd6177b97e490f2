import type { Platform } from '../platform.js';

/** Sends requests over connections of its own, and ends those. */
export interface RequestSender {
  readonly request: Platform['request'];
  readonly close: () => Promise<void>;
}

/** Headers that came several times are joined by commas; both clients give names in lower case. */
export const flatHeaders = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> => {
  const flat: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
};

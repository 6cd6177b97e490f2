import type { Platform } from '../platform.js';

/** Sends requests over connections of its own, and ends those. */
export interface RequestSender {
  readonly request: Platform['request'];
  readonly close: () => Promise<void>;
}

/** Headers that came several times are joined by commas; both clients give names in lower case. */
export const flatHeaders = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  );

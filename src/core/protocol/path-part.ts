/**
 * Percent-encodes a text from outside as one part of an address.
 *
 * What no part can carry becomes U+FFFD: half of a surrogate pair, for which `encodeURIComponent` throws, and the points of `.` and `..`, which
 * lead to another address however they are encoded.
 */
export const pathPart = (text: string): string =>
  encodeURIComponent(text.replaceAll(/^\.{1,2}$/u.test(text) ? '.' : halfPair, '\ufffd'));

/** Whether UTF-8 can carry a text, which has no form for half of a surrogate pair. */
export const isWellFormed = (text: string): boolean => text.search(halfPair) === -1;

const halfPair = /\p{Surrogate}/gu;

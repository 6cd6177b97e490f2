/**
 * Percent-encodes a text from outside as one part of an address. Half of a surrogate pair has no encoding and becomes U+FFFD, where
 * `encodeURIComponent` throws.
 */
export const pathPart = (text: string): string => encodeURIComponent(text.replaceAll(halfPair, '\ufffd'));

/** Whether UTF-8 can carry a text, which has no form for half of a surrogate pair. */
export const isWellFormed = (text: string): boolean => text.search(halfPair) === -1;

const halfPair = /\p{Surrogate}/gu;

import type { Answer } from '../http/answer.js';
import { asJsonObject } from '../http/request.js';
import { envelope } from './envelope.js';
import type { Metadata } from './job-feed.js';
import type { V2Switches } from './switches.js';

/** Reads the labels of a submission: up to 16, or a refusal; never drops them. */
export const readMetadata = (
  value: unknown,
  { metadata: isSupported }: Pick<V2Switches, 'metadata'>,
): { readonly metadata: Metadata | undefined } | { readonly refusal: Answer } => {
  if (value === undefined) return { metadata: undefined };
  if (!isSupported) {
    return { refusal: envelope(422, 'metadata_not_supported', 'This server keeps no `metadata`.') };
  }
  const labels = Object.entries(asJsonObject(value) ?? { '': '' });
  const isValid =
    labels.length <= 16 &&
    labels.every(([key, text]) => isKey.test(key) && typeof text === 'string' && !isHidden.test(text));
  return isValid
    ? { metadata: Object.fromEntries(labels) as Metadata }
    : { refusal: envelope(422, 'metadata_invalid', '`metadata` takes up to 16 texts by name.') };
};

const isKey = /^[\w.-]{1,40}$/u;

/** Control characters, and those that change the direction of text. */
const isHidden = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

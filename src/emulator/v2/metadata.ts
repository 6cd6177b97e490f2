import type { Answer } from '../http/answer.js';
import { asJsonObject } from '../http/request.js';
import { envelope } from './envelope.js';
import type { Metadata } from './job-feed.js';
import type { V2Switches } from './switches.js';

/** Reads the labels of a submission: up to 16, or a refusal that names the first wrong one; never drops them. */
export const readMetadata = (
  value: unknown,
  { metadata: isSupported }: Pick<V2Switches, 'metadata'>,
): { readonly metadata: Metadata | undefined } | { readonly refusal: Answer } => {
  if (value === undefined) return { metadata: undefined };
  if (!isSupported) {
    return { refusal: envelope(422, 'metadata_not_supported', 'This server keeps no `metadata`.') };
  }
  const labels = asJsonObject(value);
  const wrong = labels && Object.entries(labels).find((label) => !isLabel(label));
  if (labels === undefined || wrong !== undefined || Object.keys(labels).length > 16) {
    const which = wrong === undefined ? '' : `, and not ${JSON.stringify(wrong[0])} as it is here`;
    return {
      refusal: envelope(422, 'metadata_invalid', `\`metadata\` takes up to 16 texts by name${which}.`),
    };
  }
  return { metadata: labels as Metadata };
};

const isLabel = ([key, text]: readonly [string, unknown]): boolean =>
  isKey.test(key) && typeof text === 'string' && !isHidden.test(text);

const isKey = /^[\w.-]{1,40}$/u;

/** Control characters, and those that change the direction of text. */
const isHidden = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

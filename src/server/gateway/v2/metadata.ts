import type { Refusal } from '../http/refusal.js';
import { type Either, left, right } from '../../../core/protocol/either.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { refusal } from './refusal.js';

/** Labels of a job. */
export type Metadata = Readonly<Record<string, string>>;

/**
 * Reads the labels of a submission: up to 16 of them, keys of 1 to 40 characters, texts of up to 500; what does not fit is refused
 * and never dropped.
 */
export const readMetadata = (value: unknown): Either<Refusal, Metadata | undefined> => {
  if (value === undefined) return right(undefined);
  const labels = isJsonObject(value) ? Object.entries(value) : undefined;
  return labels !== undefined &&
    labels.length <= 16 &&
    labels.every(([key, text]) => isKey(key) && isText(text))
    ? right(Object.fromEntries(labels) as Metadata)
    : left(refusal(422, 'metadata_invalid', '`metadata` takes up to 16 texts by name.'));
};

/** Whether a text may name a label. */
export const isKey = (key: string): boolean => /^[\w.-]{1,40}$/u.test(key) && key !== '__proto__';

const isText = (text: unknown): boolean =>
  typeof text === 'string' && text.length <= 500 && !isHidden.test(text);

/** Control characters, and those that change the direction of text. */
const isHidden = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

import type { Refusal } from '../http/refusal.js';
import { type Either, left, right } from '../../../core/protocol/either.js';
import { labelName, metadata } from '../contract/requests.js';
import { refusal } from './refusal.js';

/** Labels of a job. */
export type Metadata = Readonly<Record<string, string>>;

/**
 * Reads the labels of a submission: up to 16 of them, keys of 1 to 40 characters, texts of up to 500; what does not fit is refused
 * and never dropped.
 */
export const readMetadata = (value: unknown): Either<Refusal, Metadata | undefined> =>
  value === undefined || metadata.is(value)
    ? right(value)
    : left(refusal(422, 'metadata_invalid', '`metadata` takes up to 16 texts by name.'));

/** Whether a text may name a label. */
export const isKey = (key: string): boolean => labelName.is(key);

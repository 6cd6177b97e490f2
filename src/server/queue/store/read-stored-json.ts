import { done, type Steps } from '../../../core/protocol/steps.js';
import { isDeeperThan } from '../../../core/protocol/json/is-deeper-than.js';
import { parsingExactJson } from '../../../core/protocol/json/exact-json.js';

/** Nothing that is stored nests deeper: bodies have 64 levels at most, and what services tell a few. What does could not be written again. */
const maxLevels = 1_000;

/** Reads a text of JSON in Redis, with exact integers; undefined for anything else, and for what nests too deep. */
export const readStoredJson = (text: string): unknown => done(readingStoredJson(text));

/** The steps of {@link readStoredJson}. */
export function* readingStoredJson(text: string): Steps<unknown> {
  try {
    const value = yield* parsingExactJson(text);
    yield;
    return isDeeperThan(value, maxLevels) ? undefined : value;
  } catch {
    return undefined;
  }
}

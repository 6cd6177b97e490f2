import { isDeeperThan } from '../../../core/protocol/json/is-deeper-than.js';
import { parseExactJson } from '../../../core/protocol/json/exact-json.js';

/** Nothing that is stored nests deeper: bodies have 64 levels at most, and what services tell a few. What does could not be written again. */
const maxLevels = 1_000;

/** Reads a text of JSON in Redis, with exact integers; undefined for anything else, and for what nests too deep. */
export const readStoredJson = (text: string): unknown => {
  try {
    const value = parseExactJson(text);
    return isDeeperThan(value, maxLevels) ? undefined : value;
  } catch {
    return undefined;
  }
};

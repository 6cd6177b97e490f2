import * as E from '../../protocol/either.js';

/** Reads a list of names; Left if the answer is no list of texts. */
export const readNames = (json: unknown): E.Either<string, readonly string[]> =>
  Array.isArray(json) && json.every((name) => typeof name === 'string')
    ? E.right(json)
    : E.left('the answer is no list of names');

import * as E from '../either.js';
import { isJsonObject } from '../is-json-object.js';
import type { User } from './user.js';

/** Reads the user endpoint's answer: a status word, and in newer services an id (docs/protocol.md, chapter 2). */
export const readUser = (json: unknown): E.Either<string, User> => {
  const { status, id } = isJsonObject(json) ? json : {};
  return typeof status === 'string'
    ? E.right({ status, ...(typeof id === 'string' && { id }) })
    : E.left('the answer names no user status');
};

import * as E from '../either.js';
import type { User } from './user.js';

/** Reads the user endpoint's answer: a status word, and in newer services an id (docs/protocol.md, chapter 2). */
export const readUser = (json: unknown): E.Either<string, User> => {
  if (typeof json !== 'object' || json === null || !('status' in json) || typeof json.status !== 'string') {
    return E.left('the answer names no user status');
  }
  return E.right({
    status: json.status,
    ...('id' in json && typeof json.id === 'string' ? { id: json.id } : {}),
  });
};

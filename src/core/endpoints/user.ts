import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject } from '../protocol/json/json.js';

/** `GET /api/user`: whom the key belongs to (docs/protocol.md, chapter 2). */
export const userEndpoint = (): Endpoint<User> => ({
  method: 'GET',
  path: '/api/user',
  idempotency: 'always',
  read: readUser,
});

/** Whom the key belongs to. */
export interface User {
  /** The account's id, which only newer services send. */
  readonly id?: string;
  /** The account's state in the service's word, such as `active`. */
  readonly status: string;
}

/** Reads the user endpoint's answer: a status word, and in newer services an id (docs/protocol.md, chapter 2). */
export const readUser = (json: unknown): E.Either<string, User> => {
  const { status, id } = isJsonObject(json) ? json : {};
  return typeof status === 'string'
    ? E.right({ status, ...(typeof id === 'string' && { id }) })
    : E.left('the answer names no user status');
};

import type { Endpoint } from './endpoint.js';
import { readUser } from '../answers/read-user.js';
import type { User } from '../answers/user.js';

/** `GET /api/user`: whom the key belongs to (docs/protocol.md, chapter 2). */
export const userEndpoint = (): Endpoint<User> => ({
  method: 'GET',
  path: '/api/user',
  repeat: 'always',
  read: readUser,
});

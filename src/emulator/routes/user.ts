import { json } from '../http/answer.js';
import type { Handler } from '../http/api-request.js';

/** `GET /api/user`: whom the key belongs to. */
export const user: Handler = ({ account }) => json({ id: account.userId, status: 'active' });

import type { Answer } from '../http/answer.js';
import { envelope } from './envelope.js';
import { readIdempotencyKey } from './idempotency-keys.js';
import type { V2Request } from './v2-service.js';

/**
 * Does the work of a request under its `Idempotency-Key`, if it has one.
 *
 * The key is claimed for good once the work is done or its outcome is unknown (5xx). A refusal releases it, since by it
 * certainly nothing was done.
 */
export const withIdempotencyKey = async (
  { account, request }: V2Request,
  work: () => Answer | Promise<Answer>,
): Promise<Answer> => {
  const read = readIdempotencyKey(request.headers['idempotency-key']);
  if (read === 'invalid') {
    return envelope(400, 'invalid_request', '`Idempotency-Key` takes 1 to 255 characters.');
  }
  const { key } = read;
  if (key === undefined) return work();
  if (!account.keys.claim(key)) {
    return envelope(422, 'idempotency_key_reuse', 'This `Idempotency-Key` was used before.');
  }
  const answer = await work();
  if (answer.status >= 400 && answer.status < 500) account.keys.release(key);
  return answer;
};

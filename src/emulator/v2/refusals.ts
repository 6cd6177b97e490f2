import type { Answer } from '../http/answer.js';
import { envelope } from './envelope.js';
import type { V2Service } from './v2-service.js';

/** The 404 of a job or an asset that the account does not have. */
export const missing = ({ base }: V2Service, what: 'job' | 'asset'): Answer => {
  const code = base.settings.switches.notFoundCode === 'general' ? 'not_found' : `${what}_not_found`;
  return envelope(404, code, `There is no such ${what}.`);
};

/** A 429, which asks to repeat the request later. */
export const tooMany = ({ base }: V2Service, code: string, message: string): Answer =>
  envelope(429, code, message, {
    headers: { 'retry-after': String(base.settings.switches.retryAfter) },
  });

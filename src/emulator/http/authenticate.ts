import type { Account, Service } from '../service.js';
import { type Answer, refusal } from './answer.js';

/** Lets a key in or says why not: 401 for a key that nobody has, 403 where the free tier has no API. */
export const door = (service: Service, key: string | undefined): Account | Answer => {
  const account = service.accountOf(key);
  if (!account) {
    return refusal(
      401,
      'UNAUTHORIZED',
      key ? 'The API key is not known.' : 'The request carries no API key.',
    );
  }
  const { tier, switches } = service.settings;
  if (tier === 'free' && switches.freeTier === '403') {
    return refusal(403, 'FORBIDDEN', 'The free tier has no access to the API.');
  }
  return account;
};

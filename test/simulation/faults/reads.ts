import type { LoggedRequest } from '../ledger.js';
import type { RequestFate } from '../sim-rest.js';
import type { Effect } from './effect.js';

/** Group F, first half: what becomes of the requests that ask how a job stands. */
export const readFaults = {
  'a read never gets an answer': reads({ how: 'stalls', acts: true }, 2),
  'a read is cut': reads({ how: 'cut', acts: true }, 4),
  'a read drips': reads({ how: 'drips', acts: true }, 1),
  'a read breaks off': reads({ how: 'breaks off', acts: true }, 4),
  'a read never leaves': reads({ how: 'unsent' }, 6),
  'reads meet 500 again and again': reads({ how: 'says', acts: true, answer: { status: 500 } }, 30, 60_000),
  'a read is throttled': reads(
    { how: 'says', acts: false, answer: { status: 429, headers: { 'retry-after': '4' } } },
    3,
  ),
  'a read is answered with a page': reads(
    { how: 'says', acts: true, answer: { status: 200, body: '<html>' } },
    3,
  ),
  'a read takes long': reads({ how: 'slow', ms: 20_000 }, 2),
} satisfies Record<string, Effect>;

const isRead = ({ route }: LoggedRequest): boolean =>
  route === 'status' || route === 'queue' || route === 'history';

function reads(fate: RequestFate, most: number, forMs = Infinity): Effect {
  return ({ backend, fault, hit }) => {
    backend.rest.rules.push({
      matches: isRead,
      spoils: 'all',
      fate: () => fate,
      times: 1 + Math.floor(fault.size * most),
      until: backend.clock.now() + forMs,
      hit,
    });
  };
}

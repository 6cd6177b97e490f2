import { canaryKey } from '../../helpers/canaries.js';
import type { Answer, RequestFate } from '../sim-rest.js';
import type { Effect } from './effect.js';

const error = (type: string): Answer['body'] => ({ error: { type, message: 'no' } });

/** Group E: what becomes of a submission. Those that stop the client are ended by its user a little later. */
export const submissionFaults = {
  'submission cut after it was accepted': submission({ how: 'cut', acts: true }),
  'submission cut before it was accepted': submission({ how: 'cut', acts: false }),
  'submission accepted, answer never comes': submission({ how: 'stalls', acts: true }),
  'submission accepted, answer drips': submission({ how: 'drips', acts: true }),
  'submission accepted, answer breaks off': submission({ how: 'breaks off', acts: true }),
  'submission never leaves': submission({ how: 'unsent' }, 3),
  'submission accepted, then 500': submission(says(500, true)),
  'submission meets 502': submission(says(502, false)),
  'submission meets 504 after it was accepted': submission(says(504, true)),
  'submission meets 503 with a wait': submission(
    says(503, false, error('DEPLOYMENT_NOT_READY'), { 'retry-after': '3' }),
    2,
  ),
  'submission meets 429 with a wait': submission(
    says(429, false, error('RATE_LIMITED'), { 'retry-after': '2' }),
    2,
  ),
  'submission meets 429 with a mad wait': submission(
    says(429, false, error('RATE_LIMITED'), { 'retry-after': '1000000000' }),
  ),
  'submission meets a full queue': submission(says(429, false, error('QUEUE_LIMIT'))),
  'submission meets 400 with a page': submission(says(400, false, '<html>')),
  'submission answered without an id': submission(says(200, true, { number: 1 })),
  'submission answered with a page': submission(says(200, true, '<html>')),
  'no credits': billing(says(402, false, '')),
  'no active plan': billing(says(429, false, error('CLOUD_SUBSCRIPTION_REQUIRED'))),
  'key is revoked': ({ world, fault, hit }) => {
    const key = canaryKey(fault.index + 2);
    const ms = 5_000 + fault.size * 55_000;
    hit();
    world.keys.clear();
    world.sockets.end({ code: 1008 });
    const refusal = world.untrue(Infinity, { isRefusal: true });
    world.ledger.stops.push({ at: world.clock.now(), kind: 'auth' });
    world.clock.at(ms, () => {
      world.keys.clear();
      world.keys.add(key);
      world.clock.deliver(0, () => {
        refusal.until = world.clock.now();
        world.user.setKey(key);
      });
    });
  },
} satisfies Record<string, Effect>;

function says(
  status: number,
  acts: boolean,
  body: Answer['body'] = '',
  headers: Record<string, string> = {},
): RequestFate {
  return { how: 'says', acts, answer: { status, body, headers } };
}

function submission(fate: RequestFate, most = 1): Effect {
  return ({ world, fault, hit }) => {
    world.rest.rules.push({
      matches: ({ route }) => route === 'submit',
      fate: () => fate,
      times: 1 + Math.floor(fault.size * most),
      until: Infinity,
      hit,
    });
  };
}

function billing(fate: RequestFate): Effect {
  return ({ world, fault, hit }) => {
    world.rest.rules.push({
      matches: ({ route }) => route === 'submit',
      fate: () => fate,
      times: 1,
      until: Infinity,
      hit: () => {
        hit();
        world.ledger.stops.push({ at: world.clock.now(), kind: 'billing' });
        world.clock.deliver(5_000 + fault.size * 30_000, () => world.user.resume());
      },
    });
  };
}

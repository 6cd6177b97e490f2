import { canaryKey } from '../../helpers/canaries.js';
import type { Answer, RequestFate } from '../sim-rest.js';
import type { Backend } from '../backend.js';
import type { Effect } from './effect.js';

/** A refusal as the service words it: API v2 has a code where the other interfaces have a type. */
const error = (type: string): Answer['body'] => ({ error: { type, message: 'no' } });
const envelope = (code: string): Answer['body'] => ({ error: { code, message: 'no', details: null } });

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
    refused(503, ['DEPLOYMENT_NOT_READY', 'deployment_not_ready'], { 'retry-after': '3' }),
    2,
  ),
  'submission meets 429 with a wait': submission(
    refused(429, ['RATE_LIMITED', 'rate_limited'], { 'retry-after': '2' }),
    2,
  ),
  'submission meets 429 with a mad wait': submission(
    refused(429, ['RATE_LIMITED', 'rate_limited'], { 'retry-after': '1000000000' }),
  ),
  'submission meets a full queue': submission(refused(429, ['QUEUE_LIMIT', 'queue_full'])),
  'submission meets 400 with a page': submission(says(400, false, '<html>')),
  'submission answered without an id': submission(says(200, true, { number: 1 })),
  'submission answered with a page': submission(says(200, true, '<html>')),
  'no credits': billing(says(402, false, '')),
  'no active plan': billing(says(429, false, error('CLOUD_SUBSCRIPTION_REQUIRED'))),
  'key is revoked': ({ backend, fault, hit }) => {
    const key = canaryKey(fault.index + 2);
    const ms = 5_000 + fault.size * 55_000;
    hit();
    backend.keys.clear();
    backend.sockets.end({ code: 1008 });
    const refusal = backend.untrue(Infinity, { isRefusal: true });
    backend.ledger.stops.push({ at: backend.clock.now(), kind: 'auth' });
    backend.clock.at(ms, () => {
      backend.keys.clear();
      backend.keys.add(key);
      backend.clock.deliver(0, () => {
        refusal.until = backend.clock.now();
        backend.user.setKey(key);
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

/** A refusal by name: its type, and its code in API v2. */
function refused(
  status: number,
  [type, code]: readonly [type: string, code: string],
  headers: Record<string, string> = {},
): (backend: Backend) => RequestFate {
  return ({ v2 }) => says(status, false, v2 === undefined ? error(type) : envelope(code), headers);
}

function submission(fate: RequestFate | ((backend: Backend) => RequestFate), most = 1): Effect {
  return ({ backend, fault, hit }) => {
    backend.rest.rules.push({
      matches: ({ route }) => route === 'submit',
      fate: () => (typeof fate === 'function' ? fate(backend) : fate),
      times: 1 + Math.floor(fault.size * most),
      until: Infinity,
      hit,
    });
  };
}

function billing(fate: RequestFate): Effect {
  return ({ backend, fault, hit }) => {
    backend.rest.rules.push({
      matches: ({ route }) => route === 'submit',
      fate: () => fate,
      times: 1,
      until: Infinity,
      hit: () => {
        hit();
        backend.ledger.stops.push({ at: backend.clock.now(), kind: 'billing' });
        backend.clock.deliver(5_000 + fault.size * 30_000, () => backend.user.resume());
      },
    });
  };
}

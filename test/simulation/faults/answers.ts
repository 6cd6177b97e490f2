import type { Aspect, RouteName, StrayName } from '../ledger.js';
import type { Answer } from '../sim-rest.js';
import type { Effect } from './effect.js';

const page = { 'content-type': 'text/html' };
const html = '<!doctype html><title>one moment</title>';

/** What proxies and gateways answer instead of a service, to any request. */
const odd = {
  401: { status: 401, headers: page, body: html },
  403: { status: 403, headers: page, body: html },
  429: { status: 429, headers: page, body: html },
  410: { status: 410, headers: page, body: html },
  308: { status: 308, headers: { location: 'https://elsewhere.example/' }, body: '' },
  400: { status: 400, headers: page, body: html },
  page: { status: 200, headers: page, body: html },
  'error in a 200': { status: 200, body: { error: { type: 'internal', message: 'not now' } } },
  'empty body': { status: 200, body: '' },
} satisfies Record<string, Answer>;

/** One answer that is none, on any route at any time: the next request meets it. */
const strayFaults = {
  'a stray 401': stray('a stray 401', odd[401]),
  'a stray 403': stray('a stray 403', odd[403]),
  'a stray 429 without a type': stray('a stray 429 without a type', odd[429]),
  'a stray 410': stray('a stray 410', odd[410]),
  'a stray 308': stray('a stray 308', odd[308]),
  'a stray 400': stray('a stray 400', odd[400]),
  'a stray page': stray('a stray page', odd.page),
  'a stray error in a 200': stray('a stray error in a 200', odd['error in a 200']),
  'a stray empty body': stray('a stray empty body', odd['empty body']),
} satisfies Record<string, Effect>;

/** What becomes of the answers: one of them, those of one route for good, and waits that are asked for in either form. */
export const answerFaults = {
  ...strayFaults,
  'status answers oddly for good': forGood('status', 'status'),
  'history answers oddly for good': forGood('history', 'record'),
  'the jobs API answers oddly for good': forGood('job', 'detail'),
  'a read asks to wait until a date': ({ backend, fault, hit }) => {
    const until = new Date(backend.clock.client.wall() + 1_000 + 9_000 * fault.size).toUTCString();
    backend.rest.rules.push({
      matches: ({ route }) => route === 'status' || route === 'history' || route === 'job',
      spoils: 'all',
      fate: () => ({
        how: 'says',
        acts: false,
        answer: { status: 503, headers: { 'retry-after': until }, body: '' },
      }),
      times: 2,
      until: Infinity,
      hit,
    });
  },
  'a submission is asked to wait until a date': ({ backend, fault, hit }) => {
    const until = new Date(backend.clock.client.wall() + 1_000 + 9_000 * fault.size).toUTCString();
    backend.rest.rules.push({
      matches: ({ route }) => route === 'submit',
      fate: () => ({
        how: 'says',
        acts: false,
        answer: {
          status: 429,
          headers: { 'retry-after': until },
          body: { error: { type: 'RATE_LIMITED', message: 'no' } },
        },
      }),
      times: 1,
      until: Infinity,
      hit,
    });
  },
} satisfies Record<string, Effect>;

function stray(name: StrayName, answer: Answer): Effect {
  return ({ backend, hit }) => {
    backend.rest.rules.push({
      matches: () => true,
      fate: () => ({ how: 'says', acts: false, answer }),
      stray: name,
      times: 1,
      until: Infinity,
      hit,
    });
  };
}

/** One route answers with one of the odd answers from now on. */
function forGood(route: RouteName, of: Aspect): Effect {
  return ({ backend, random, hit }) => {
    const answer: Answer = odd[random.pick(['410', '308', '400', 'page', 'empty body'] as const)];
    backend.untrue(Infinity, { of, isFault: false });
    hit();
    backend.rest.rules.push({
      matches: (request) => request.route === route,
      fate: () => ({ how: 'says', acts: true, answer }),
      times: Infinity,
      isForGood: true,
      until: Infinity,
      hit: () => undefined,
    });
  };
}

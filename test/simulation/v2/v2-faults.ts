import type { Effect, Strike } from '../faults/effect.js';
import type { SimJob } from '../sim-jobs.js';
import type { Answer, RequestFate } from '../sim-rest.js';
import { refusalOf } from './v2-documents.js';
import type { V2Event } from './v2-events.js';
import type { V2Service } from './v2-service.js';

/** What befalls a service of API v2. They do nothing to another service. */
export const v2Faults = {
  'v2: streams end cleanly without an end': ({ backend, hit }) => {
    if (backend.v2?.streams.sockets.end({ code: 1000 }) === true) hit();
  },
  'v2: streams end cleanly again and again': served(({ streams }, { backend, fault, hit }) => {
    for (let time = 0; time < 2 + 8 * fault.size; time += 1)
      backend.clock.at(time * 3_000, () => {
        if (streams.sockets.end({ code: 1000 })) hit();
      });
  }),
  'v2: no streams at all': noStreams(() => refusalOf(501, 'not_implemented'), Infinity),
  'v2: too many streams': noStreams(
    ({ random }) =>
      refusalOf(
        429,
        'too_many_streams',
        random.pick<Record<string, string>>([{ 'retry-after': '5' }, { 'retry-after': '0' }, {}]),
      ),
    60_000,
  ),
  'v2: streams are not found': noStreams(() => refusalOf(404, 'not_found'), 30_000),
  'v2: streams answer JSON': noStreams(() => ({ status: 200, body: { status: 'succeeded' } }), 30_000),
  'v2: a stream says that the key has expired': said({ code: 'credential_expired', message: 'no' }),
  'v2: a stream says that there is no such job': said({ code: 'job_not_found', message: 'no' }),
  'v2: a stream says an unknown error': said({ code: 'brand_new', message: 'no' }),
  'v2: events of unknown kinds': injected((job) => [
    { event: 'brand_new', data: { status: 'succeeded' } },
    { event: 'log', data: { level: 'info', message: 'hello' } },
    { event: '__proto__', data: { status: 'failed' } },
    { event: 'constructor', data: { id: job.promptId } },
  ]),
  'v2: events of another shape': injected(() => [
    { event: 'status', data: 'no JSON' },
    { event: 'status', data: '"succeeded"' },
    { event: 'status', data: { status: 7 } },
    { event: 'status', data: {} },
    { event: 'progress', data: '[]' },
    { event: 'progress', data: '{"value":NaN}' },
    { event: 'progress', data: { value: '2', nodes_done: null, step: {}, steps: -1, current_node: 7 } },
    { event: 'preview', data: { node_id: null, content_type: 7, data_base64: '%%%' } },
    { event: 'output', data: { node_id: null, name: null } },
    { event: 'output', data: '{"node_id":"__proto__"}' },
    { event: 'error', data: 'no JSON' },
  ]),
  'v2: an event of great size': injected(() => [{ event: 'brand_new', data: 'x'.repeat(1_000_000) }]),
  'v2: progress goes back': injected(() => [
    { event: 'progress', data: { value: 1, nodes_done: 99, nodes_total: 1 } },
    { event: 'progress', data: { value: 0, nodes_done: 0, nodes_total: 0 } },
    { event: 'progress', data: { value: -1, nodes_done: -1, nodes_total: 1e308 } },
  ]),
  'v2: a status of unknown words': injected(() => [
    { event: 'status', data: { status: 'teleporting' } },
    { event: 'status', data: { status: '' } },
  ]),
  'v2: the status goes back': injected(() => [
    { event: 'status', data: { status: 'queued', queue_position: 3 } },
  ]),
  'v2: the platform gives the job up': ({ backend, victim, hit }) =>
    victim((job) => {
      const { v2 } = backend;
      if (v2 === undefined || job.endedAt !== undefined) return;
      v2.marksOf(job.promptId).isExpired = true;
      job.end('failed');
      hit();
    }),
  'v2: a cancelled job completes': ({ backend, victim, hit }) =>
    victim((job) => {
      if (backend.v2 === undefined) return;
      job.runsOnRegardless = true;
      backend.v2.marksOf(job.promptId).isCanceling = true;
      hit();
    }),
  'v2: a proxy sends the submission twice': submission({
    how: 'says',
    acts: true,
    answer: refusalOf(422, 'idempotency_key_reuse'),
  }),
  'v2: another submission has the key': submission({
    how: 'says',
    acts: false,
    answer: refusalOf(422, 'idempotency_key_reuse'),
  }),
  'v2: the service is not ready': submission(
    { how: 'says', acts: false, answer: refusalOf(429, 'deployment_not_ready', { 'retry-after': '2' }) },
    3,
  ),
  'v2: the queue is full for a while': submission(
    { how: 'says', acts: false, answer: refusalOf(429, 'queue_full') },
    2,
  ),
  'v2: a submission meets 503 and its key is taken': submission({
    how: 'says',
    acts: true,
    answer: refusalOf(503, 'upstream_unreachable'),
  }),
  'v2: a cancellation is refused': served((_, { backend, fault, victim, hit }) => {
    backend.rest.rules.push({
      matches: ({ route }) => route === 'cancel',
      fate: () => ({
        how: 'says',
        acts: false,
        answer: refusalOf(429, 'rate_limited', { 'retry-after': '1' }),
      }),
      times: 1 + Math.floor(2 * fault.size),
      until: Infinity,
      hit,
    });
    victim(({ plan }) => backend.user.cancel(plan.index));
  }),
} satisfies Record<string, Effect>;

function served(work: (service: V2Service, strike: Strike) => void): Effect {
  return (strike) => {
    const { v2 } = strike.backend;
    if (v2 !== undefined) work(v2, strike);
  };
}

/** From now on, or for a while, each request for a stream is answered so; those that are open end. */
function noStreams(answer: (strike: Strike) => Answer, forMs: number): Effect {
  return served((service, strike) => {
    const { backend, hit } = strike;
    service.noStreams = { answer: answer(strike), until: backend.clock.now() + forMs };
    service.streams.sockets.end({ code: 1000 });
    hit();
  });
}

function injected(make: (job: SimJob) => readonly V2Event[]): Effect {
  return served((service, { victim, hit }) =>
    victim((job) =>
      service.reach(job.promptId, (stream) => {
        for (const event of make(job)) stream.tell(event);
        hit();
      }),
    ),
  );
}

/** A stream reports a refusal that a GET does not confirm, and ends. */
function said(error: object): Effect {
  return served((service, { victim, hit }) =>
    victim(({ promptId }) =>
      service.reach(promptId, (stream) => {
        stream.tell({ event: 'error', data: { error } });
        stream.finish();
        hit();
      }),
    ),
  );
}

function submission(fate: RequestFate, most = 1): Effect {
  return ({ backend, fault, hit }) => {
    if (backend.v2 === undefined) return;
    backend.rest.rules.push({
      matches: ({ route }) => route === 'submit',
      fate: () => fate,
      times: 1 + Math.floor(fault.size * most),
      until: Infinity,
      hit,
    });
  };
}

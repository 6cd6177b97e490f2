import { beforeAll, describe, expect, it } from 'vitest';
import { createClient, type ServiceError, type Workflow } from '../../../src/node.js';
import { load } from '../../../src/client/dialects/v2/load.js';
import type { FakeAnswer } from '../../helpers/fake-platform.js';
import type { HttpRequest } from '../../../src/core/platform/platform.js';
import { v2Platform } from '../../helpers/v2-platform.js';
import { watch } from '../../helpers/job-harness.js';

const apiKey = 'key-of-the-account-1234';
const workflow = { '9': { class_type: 'SaveImage', inputs: { images: ['8', 0] } } };
const envelope = (status: number, code: string, more: object = {}, headers = {}): FakeAnswer => ({
  status,
  headers,
  body: { error: { code, message: `says ${code}`, ...more } },
});
const jobOf = (status: string, more: object = {}) => ({
  body: { id: 'p1', status, outputs: [], error: null, ...more },
});
const accepted: FakeAnswer = { ...jobOf('queued'), status: 201 };
const noSuchJob = envelope(404, 'job_not_found');

/** A client before a service that answers each call, `POST /api/v2/jobs` by name, with the next of its answers. */
const service = (answers: Readonly<Record<string, readonly FakeAnswer[]>>) => {
  const turns: Record<string, number> = {};
  const callOf = ({ method, url }: HttpRequest): string => `${method} ${new URL(url).pathname}`;
  const { platform, streams } = v2Platform((request) => {
    const call = callOf(request);
    const list = answers[call] ?? [envelope(404, 'not_found')];
    const turn = (turns[call] = (turns[call] ?? -1) + 1);
    return list[Math.min(turn, list.length - 1)]!;
  });
  const client = createClient({ baseUrl: 'https://service.example/mount', dialect: 'v2', apiKey, platform });
  const sent = (call: string): readonly HttpRequest[] =>
    platform.requests.filter((request) => callOf(request) === call.replace(' /', ' /mount/'));
  return { platform, streams, client, sent };
};
const mounted = (answers: Readonly<Record<string, readonly FakeAnswer[]>>) =>
  service(
    Object.fromEntries(Object.entries(answers).map(([call, list]) => [call.replace(' /', ' /mount/'), list])),
  );
const submit = 'POST /api/v2/jobs';
const poll = 'GET /api/v2/jobs/p1';
const keyOf = ({ headers }: HttpRequest) => headers['idempotency-key'];

const leftOf = async (
  { platform, client }: ReturnType<typeof mounted>,
  submitted: Workflow = workflow,
): Promise<ServiceError> => {
  const answer = await platform.clock.until(client.rest.submit(submitted)());
  if (answer._tag === 'Right') throw new Error('it was accepted');
  return answer.left;
};

// The part that is loaded with the first call comes in real time.
beforeAll(() => load());

describe('a client of API v2', () => {
  it('follows a job by its stream, and believes its end once REST says it', async () => {
    const { platform, streams, client, sent } = mounted({
      [submit]: [accepted],
      [poll]: [
        jobOf('queued'),
        jobOf('succeeded', { outputs: [{ node_id: '9', name: 'a.png', type: 'image' }] }),
      ],
    });
    const run = watch(client.run(workflow));
    await platform.clock.advance(0);
    expect(streams[0]?.request.headers).toMatchObject({
      accept: 'text/event-stream',
      authorization: `Bearer ${apiKey}`,
    });
    expect(streams[0]?.request.url).toBe('https://service.example/mount/api/v2/jobs/p1/events');
    streams[0]?.open();
    streams[0]?.event('progress', { value: 0.5, current_node: '9', step: 1, steps: 2 });
    await platform.clock.advance(700);
    expect(run.last()).toMatchObject({ phase: 'in_progress', nodes: { '9': { value: 1, max: 2 } } });
    streams[0]?.event('status', { status: 'succeeded' });
    await platform.clock.advance(100);
    expect(run.last()).toMatchObject({ phase: 'completed', outputsComplete: true });
    expect(run.last().outputs['9']).toMatchObject({ images: [{ filename: 'a.png' }] });
    expect(streams[0]?.isLeft()).toBe(true);
    const [post] = sent(submit);
    expect(JSON.parse(post?.json ?? '')).toEqual({ workflow });
    await client.close();
  });

  it.each([404, 501, 429])('polls a job whose stream is answered with %i', async (status) => {
    const { platform, streams, client } = mounted({
      [submit]: [accepted],
      [poll]: [noSuchJob, jobOf('running'), jobOf('paused'), jobOf('canceling'), jobOf('canceled')],
    });
    const run = watch(client.run(workflow));
    await platform.clock.advance(0);
    streams[0]?.answer(status, { 'retry-after': '0' });
    await platform.clock.advance(4_000);
    expect(streams).toHaveLength(1);
    await platform.clock.advance(60_000);
    expect(run.phases()).toEqual(['submitting', 'pending', 'in_progress', 'cancelled']);
    expect(run.completed()).toBe(true);
    await client.close();
  });

  it.each(['credential_expired', 'forbidden'])(
    'keeps following by polls after the error %s',
    async (code) => {
      const { platform, streams, client } = mounted({
        [submit]: [accepted],
        [poll]: [jobOf('running'), jobOf('running'), jobOf('expired')],
        'GET /api/v2/jobs/00000000-0000-0000-0000-000000000000': [noSuchJob],
      });
      const run = watch(client.run(workflow));
      await platform.clock.advance(0);
      streams[0]?.open();
      streams[0]?.event('error', { error: { code } });
      await platform.clock.advance(5_000);
      expect(streams).toHaveLength(1);
      await platform.clock.advance(10_000);
      expect(run.last()).toMatchObject({ phase: 'failed', failure: { exceptionType: 'Expired' } });
      await client.close();
    },
  );

  it('stops where REST refuses the key that a stream calls expired', async () => {
    const refusal = envelope(401, 'unauthorized');
    const { platform, streams, client } = mounted({
      [submit]: [accepted],
      [poll]: [jobOf('running'), refusal],
      'GET /api/v2/jobs/00000000-0000-0000-0000-000000000000': [refusal],
    });
    const states: string[] = [];
    client.connection.subscribe(({ _tag }) => states.push(_tag));
    const run = watch(client.run(workflow));
    await platform.clock.advance(0);
    streams[0]?.open();
    streams[0]?.event('error', { error: { code: 'credential_expired' } });
    await platform.clock.advance(30_000);
    expect(states.at(-1)).toBe('failed');
    expect(streams).toHaveLength(1);
    client.setKey('another-key-of-it-5678');
    await platform.clock.advance(1_000);
    expect(streams[1]?.request.headers['authorization']).toBe('Bearer another-key-of-it-5678');
    expect(run.completed()).toBe(false);
    await client.close();
  });

  it('shows no key in a frame', async () => {
    const { platform, streams, client } = mounted({ [submit]: [accepted], [poll]: [jobOf('running')] });
    const frames: unknown[] = [];
    client.frames.subscribe((frame) => frames.push(frame));
    const run = watch(client.run(workflow));
    await platform.clock.advance(0);
    streams[0]?.open();
    streams[0]?.event('log', { level: 'info', message: `uses ${apiKey}` });
    await platform.clock.advance(0);
    expect(frames).toHaveLength(1);
    expect(JSON.stringify(frames)).not.toContain(apiKey);
    run.stop();
    await client.close();
    expect(streams[0]?.isLeft()).toBe(true);
  });

  it('gives up the reading of a record when its job has no follower any more', async () => {
    let polls = 0;
    const { platform, streams } = v2Platform(() =>
      (polls += 1) === 1 ? jobOf('running') : new Promise(() => undefined),
    );
    await using client = createClient({ baseUrl: 'https://a.example', dialect: 'v2', apiKey, platform });
    const run = watch(client.follow('p1'));
    await platform.clock.advance(0);
    streams[0]?.open();
    streams[0]?.event('status', { status: 'succeeded' });
    await platform.clock.advance(100);
    run.stop();
    await platform.clock.advance(0);
    const [, ...unanswered] = platform.requests.filter(({ url }) => url.endsWith('/jobs/p1'));
    expect(unanswered.length).toBeGreaterThan(0);
    expect(unanswered.map(({ signal }) => signal?.aborted)).toEqual(unanswered.map(() => true));
  });

  describe('submissions', () => {
    it.each([
      ['queue_full', '2', 2_000],
      ['queue_full', undefined, 2_000],
      ['deployment_not_ready', '5', 5_000],
      ['rate_limited', '0', 1_000],
    ])(
      'waits after a 429 %s with Retry-After %s, and sends the same key again',
      async (code, after, waited) => {
        const full = envelope(429, code, {}, after === undefined ? {} : { 'retry-after': after });
        const { platform, client, sent } = mounted({ [submit]: [full, full, accepted] });
        const answer = client.rest.submit(workflow)();
        await platform.clock.advance(waited - 1);
        expect(sent(submit)).toHaveLength(1);
        expect(await platform.clock.until(answer)).toMatchObject({ right: { promptId: 'p1' } });
        expect(platform.clock.now()).toBe(2 * waited);
        expect(new Set(sent(submit).map(keyOf)).size).toBe(1);
        await platform.clock.until(client.rest.submit(workflow)());
        expect(new Set(sent(submit).map(keyOf)).size).toBe(2);
      },
    );

    it('gives up after a minute of 429, and at once where nothing says how long', async () => {
      const full = mounted({ [submit]: [envelope(429, 'queue_full', {}, { 'retry-after': '25' })] });
      expect((await leftOf(full))._tag).toBe('QueueFull');
      expect(full.platform.clock.now()).toBe(60_000);
      const limited = mounted({ [submit]: [envelope(429, 'rate_limited')] });
      expect((await leftOf(limited))._tag).toBe('RateLimited');
      expect(limited.sent(submit)).toHaveLength(1);
    });

    it.each([
      [500, {}],
      [503, { 'retry-after': '1' }],
    ])('sends nothing twice after a %i', async (status, headers) => {
      const service = mounted({ [submit]: [envelope(status, 'upstream_unreachable', {}, headers)] });
      const left = await leftOf(service);
      expect(left).toMatchObject({ _tag: 'OutcomeUnknown', candidates: [] });
      expect(left).not.toHaveProperty('keyUsed');
      expect(service.sent(submit)).toHaveLength(1);
    });

    it('says of a used key only that a request with it arrived, with the jobs that it may have become', async () => {
      const listed = (id: string, graph: object) => [1, id, graph, {}, []];
      const other = { '9': { class_type: 'SaveImage', inputs: {} } };
      const service = mounted({
        [submit]: [envelope(422, 'idempotency_key_reuse')],
        'GET /api/queue': [
          { body: { queue_running: [listed('q1', workflow)], queue_pending: [listed('q2', other)] } },
        ],
      });
      expect(await leftOf(service)).toMatchObject({
        _tag: 'OutcomeUnknown',
        keyUsed: true,
        candidates: ['q1'],
      });
      const [queue] = service.sent('GET /api/queue');
      expect(queue?.headers).toMatchObject({ 'x-api-key': apiKey });
      expect(queue?.headers).not.toHaveProperty('authorization');
    });

    it('finds a job that has ended meanwhile in the history of a local server', async () => {
      const record = (graph: object, timestamp: number) => ({
        prompt: [1, 'p', graph, {}, []],
        status: { messages: [['execution_start', { timestamp }]] },
      });
      const service = mounted({
        [submit]: [envelope(422, 'idempotency_key_reuse')],
        'GET /api/history': [
          { body: { h1: record(workflow, 9e12), h2: record({}, 9e12), h3: record(workflow, -9e12) } },
        ],
      });
      expect(await leftOf(service)).toMatchObject({ candidates: ['h1'] });
    });

    it('finds a job by its workflow although the answer rounds a seed beyond 2^53', async () => {
      const sampler = (seed: number | bigint) => ({ '3': { class_type: 'KSampler', inputs: { seed } } });
      const service = mounted({
        [submit]: [envelope(422, 'idempotency_key_reuse')],
        'GET /api/queue': [
          { body: { queue_running: [[1, 'q1', sampler(2 ** 60), {}, []]], queue_pending: [] } },
        ],
      });
      expect(await leftOf(service, sampler(2n ** 60n + 1n))).toMatchObject({ candidates: ['q1'] });
    });

    it('looks the workflow up that the history of a cloud service leaves out', async () => {
      const listed = (id: string, time: number) => ({ prompt_id: id, create_time: time, prompt: {} });
      const service = mounted({
        [submit]: [envelope(422, 'idempotency_key_reuse')],
        'GET /api/history_v2': [
          { body: { history: [listed('h1', 9e12), listed('h2', 9e12), listed('h3', -9e12)] } },
        ],
        'GET /api/history_v2/h1': [{ body: { h1: { prompt: { prompt: {} } } } }],
        'GET /api/history_v2/h2': [{ body: { h2: { prompt: { prompt: workflow } } } }],
      });
      expect(await leftOf(service)).toMatchObject({ candidates: ['h2'] });
      expect(service.sent('GET /api/history_v2/h3')).toEqual([]);
    });

    it('N6: looks up each of the jobs that came meanwhile, and lists them as far back as the submission', async () => {
      const listed = (id: string, time: number) => ({ prompt_id: id, create_time: time, prompt: {} });
      const others = Array.from({ length: 300 }, (_, nth) => listed(`other-${nth}`, -9e12));
      const came = Array.from({ length: 7 }, (_, nth) => listed(`h${nth}`, 9e12));
      const record = (id: string) => ({ [id]: { prompt: { prompt: id === 'h6' ? workflow : {} } } });
      const service = mounted({
        [submit]: [envelope(422, 'idempotency_key_reuse')],
        'GET /api/history_v2': [{ body: { history: [...came, ...others] } }],
        ...Object.fromEntries(
          came.map(({ prompt_id: id }) => [`GET /api/history_v2/${id}`, [{ body: record(id) }]]),
        ),
      });
      expect(await leftOf(service)).toMatchObject({ candidates: ['h6'] });
    });

    it.each([
      [{ '9': [{ field: 'images', reason: 'not linked' }] }],
      [
        {
          '9': {
            class_type: 'SaveImage',
            errors: [{ type: 'x', message: 'not linked', details: '', extra_info: { input_name: 'images' } }],
          },
        },
      ],
    ])('reads the node errors %j', async (node_errors) => {
      const service = mounted({
        [submit]: [envelope(422, 'invalid_workflow', { details: { node_errors } })],
      });
      expect(await leftOf(service)).toMatchObject({
        _tag: 'BadRequest',
        errorType: 'invalid_workflow',
        nodeErrors: { '9': { errors: [{ message: 'not linked', extraInfo: { input_name: 'images' } }] } },
      });
    });

    it.each([
      [402, 'insufficient_credits', 'InsufficientCredits', /credits/u],
      [403, 'sso_required', 'Forbidden', /single sign-on/u],
      [422, 'missing_asset', 'BadRequest', /Upload/u],
      [422, 'deployment_stopped', 'BadRequest', /Start the deployment/u],
    ])('calls %i %s %s', async (status, code, _tag, hint) => {
      const left = await leftOf(mounted({ [submit]: [envelope(status, code, { organization_id: 'o' })] }));
      expect(left).toMatchObject({ _tag, errorType: code, hint: expect.stringMatching(hint) as string });
    });

    it('sends a partner key in the field of API v2', async () => {
      const { platform, client, sent } = mounted({ [submit]: [accepted] });
      await platform.clock.until(client.rest.submit(workflow, { partnerKey: true })());
      expect(JSON.parse(sent(submit)[0]?.json ?? '')).toMatchObject({
        extra_data: { api_key_comfy_org: apiKey },
      });
    });
  });

  it('cancels by the call of the job alone', async () => {
    const { platform, client, sent } = mounted({ 'POST /api/v2/jobs/p1/cancel': [jobOf('canceling')] });
    expect(await platform.clock.until(client.cancel('p1')())).toMatchObject({ _tag: 'Right' });
    expect(platform.requests.map(({ method }) => method)).toEqual(['POST']);
    expect(sent('POST /api/v2/jobs/p1/cancel')).toHaveLength(1);
    const gone = mounted({ 'POST /api/v2/jobs/p1/cancel': [noSuchJob] });
    expect(await gone.platform.clock.until(gone.client.cancel('p1')())).toMatchObject({
      left: { _tag: 'NotFound' },
    });
  });

  it('is as far as the service says, which counts nodes that no event names', async () => {
    const { platform, streams, client } = mounted({ [submit]: [accepted], [poll]: [jobOf('running')] });
    const run = watch(client.run({ ...workflow, '8': { class_type: 'VAEDecode', inputs: {} } }));
    await platform.clock.advance(0);
    streams[0]?.open();
    streams[0]?.event('progress', { value: 0.6, current_node: '9' });
    await platform.clock.advance(0);
    expect(run.last()).toMatchObject({ phase: 'in_progress', progress: 0.6 });
    for (const value of [0.4, null, 'x', 7])
      streams[0]?.event('progress', { value, current_node: '9', step: 1, steps: 9 });
    await platform.clock.advance(0);
    expect(run.states.map(({ progress }) => progress).slice(-2)).toEqual([0.6, 0.99]);
  });

  it('polls a job without a stream every five seconds', async () => {
    const { platform, streams, client, sent } = mounted({ [submit]: [accepted], [poll]: [jobOf('running')] });
    watch(client.run(workflow));
    await platform.clock.advance(0);
    streams[0]?.answer(501);
    await platform.clock.advance(20_000);
    const before = sent(poll).length;
    await platform.clock.advance(60_000);
    expect(sent(poll).length - before).toBeGreaterThanOrEqual(10);
  });

  it('calls what API v2 has no form for by the routes of today, and NotSupported without them', async () => {
    const { platform, client } = mounted({});
    const calls = [
      client.rest.objectInfo(),
      client.rest.queue(),
      client.rest.user(),
      client.rest.interrupt(),
      client.rest.view({ filename: 'a.png', subfolder: '', type: 'output' }),
    ];
    for (const call of calls)
      expect(await platform.clock.until<unknown>(call())).toMatchObject({ left: { _tag: 'NotSupported' } });
    const beside = mounted({ 'GET /api/user': [{ body: { status: 'active' } }] });
    expect(await beside.platform.clock.until(beside.client.rest.user()())).toMatchObject({
      right: { status: 'active' },
    });
  });

  it.each([
    ['cloud', 'GET /api/user', { body: { status: 'active' } }],
    ['local', 'GET /api/history/none', { body: {} }],
  ])('names a server of the dialect %s', async (dialect, call, answer) => {
    const missing: FakeAnswer = { status: 404, body: 'no such route' };
    const service = mounted({
      [submit]: [missing],
      'GET /api/v2/jobs/00000000-0000-0000-0000-000000000000': [missing],
      'GET /api/user': [missing],
      [call]: [answer],
    });
    expect(await leftOf(service)).toMatchObject({
      _tag: 'InvalidConfig',
      option: 'dialect',
      hint: expect.stringContaining(`dialect: '${dialect}'`) as string,
    });
  });

  it.each(['cloud', 'local'] as const)('names itself to a client of the dialect %s', async (dialect) => {
    const { platform } = v2Platform(() => envelope(404, 'not_found'));
    const client = createClient({ baseUrl: 'https://service.example', dialect, platform });
    expect(await platform.clock.until(client.rest.submit(workflow)())).toMatchObject({
      left: { _tag: 'InvalidConfig', hint: expect.stringContaining("dialect: 'v2'") as string },
    });
  });

  it('takes a route that is missing for a while for no other dialect', async () => {
    const { platform, client } = mounted({
      [poll]: [jobOf('running'), { status: 404, body: 'deploying' }],
      'GET /api/user': [{ body: { status: 'active' } }],
    });
    expect(await platform.clock.until(client.rest.jobStatus('p1')())).toMatchObject({ _tag: 'Right' });
    expect(await platform.clock.until(client.rest.jobStatus('p1')())).toMatchObject({
      left: { _tag: 'ProtocolChanged' },
    });
  });
});

import { describe, expect, it } from 'vitest';
import { createClientOn } from '../src/client/client.js';
import type { ClientStop } from '../src/core/http/client-stop.js';
import type { HttpRequest } from '../src/core/platform/platform.js';
import { type FakeAnswer, fakePlatform } from './helpers/fake-platform.js';
import { imageOf, messages, watch } from './helpers/job-harness.js';
import { runs } from './helpers/runs.js';

const key = 'comfyui-0123456789abcdef';
const workflow = { 9: { class_type: 'SaveImage', inputs: {} } };
const outputs = { 9: { images: [imageOf('a.png')] } };
const notFound: FakeAnswer = { status: 404, body: { code: 'NOT_FOUND', message: 'no such thing' } };
const worded = (status: number, type: string): FakeAnswer => ({
  status,
  body: { error: { type, message: 'no' } },
});

/** A service that runs every job until `finish` and refuses what `refuses` says; the clock's time is its own. */
const made = () => {
  let accepted = 0;
  let isFinished = false;
  const rules: { readonly matches: RegExp; readonly answer: FakeAnswer; times: number }[] = [];
  const answer = ({ method, url, headers }: HttpRequest): FakeAnswer => {
    const { pathname } = new URL(url);
    const rule = rules.find(({ matches, times }) => times > 0 && matches.test(`${method} ${pathname}`));
    if (rule !== undefined) {
      rule.times -= 1;
      return rule.answer;
    }
    if (revoked.has(headers['x-api-key'] ?? '')) return worded(401, 'UNAUTHORIZED');
    if (pathname.endsWith('/api/user')) return { body: { status: 'active' } };
    if (method === 'POST') {
      accepted += 1;
      return { body: { prompt_id: `p${accepted}`, number: accepted, node_errors: {} } };
    }
    const status = isFinished ? 'completed' : 'in_progress';
    const id = pathname.split('/')[3];
    if (pathname.endsWith('/status')) return { body: { id, status } };
    return isFinished ? { body: { outputs, status: { status_str: 'success', completed: true } } } : notFound;
  };
  const revoked = new Set<string>();
  const platform = fakePlatform(answer);
  const client = createClientOn(platform, { baseUrl: 'https://service.example', apiKey: key });
  const stops: ClientStop[] = [];
  client.stops.subscribe((stop) => stops.push(stop));
  const { clock } = platform;
  return {
    platform,
    client,
    clock,
    socket: () => platform.sockets.at(-1)!,
    stops: () => stops.map(({ _tag }) => _tag),
    last: () => stops.at(-1)!,
    revoke: () => revoked.add(key),
    accept: () => revoked.clear(),
    finish: () => (isFinished = true),
    meet: (matches: RegExp, met: FakeAnswer, times = Infinity) => rules.push({ matches, answer: met, times }),
    posts: () => platform.requests.filter(({ method }) => method === 'POST').length,
    /** Begins a job whose socket is open and whose submission was accepted. */
    running: async () => {
      const job = watch(client.run(workflow));
      platform.sockets.at(-1)!.open();
      await clock.advance(0);
      return job;
    },
  };
};

const page = '<html><body>Sign in to the network</body></html>';

describe('a refusal', () => {
  it.each([
    [401, page],
    [403, page],
    [429, page],
    [401, { error: { type: 'UNAUTHORIZED', message: 'no' } }],
  ])(
    'E22: that comes once to a read (%i) stops nobody, and the read is asked again',
    async (status, body) => {
      const { client, clock, stops, meet, finish, running, socket, posts } = made();
      const job = await running();
      meet(/\/status$/u, { status, body }, 1);
      socket().end({ errorCode: 'ECONNRESET' });
      await clock.advance(1_000);
      finish();
      await clock.advance(60_000);
      expect(job.error()).toBeUndefined();
      expect(job.last()).toMatchObject({ phase: 'completed', outputs });
      expect(stops()).toEqual(['none']);
      expect(await client.rest.submit(workflow)()).toMatchObject({ _tag: 'Right' });
      expect(posts()).toBe(2);
    },
  );

  it('E22: of a read counts when it was met three times, over seconds, and the key is refused as such', async () => {
    const { client, clock, stops, last, meet, platform } = made();
    meet(/^GET/u, { status: 401, body: page });
    const asking = client.rest.jobStatus('p1')();
    await clock.advance(3_000);
    expect(stops()).toEqual(['none']);
    await clock.advance(3_000);
    expect(await asking).toMatchObject({ left: { _tag: 'Unauthorized', promptId: 'p1' } });
    expect(platform.requests.map(({ url }) => new URL(url).pathname)).toEqual([
      ...Array<string>(3).fill('/api/job/p1/status'),
      '/api/user',
    ]);
    expect(stops()).toEqual(['none', 'auth']);
    expect(last()).toMatchObject({ since: clock.wall() - 2_000, error: { _tag: 'Unauthorized' } });
    expect(JSON.stringify(last())).not.toContain(key);
  });

  it('E22: that one route alone gives is that route’s', async () => {
    const { client, clock, stops, meet } = made();
    meet(/\/status$/u, worded(401, 'UNAUTHORIZED'));
    const asking = client.rest.jobStatus('p1')();
    await clock.advance(10_000);
    expect(await asking).toMatchObject({ left: { _tag: 'Unauthorized' } });
    expect(stops()).toEqual(['none']);
    expect(await client.rest.submit(workflow)()).toMatchObject({ _tag: 'Right' });
  });

  it('E27: of 429 that comes once to a submission as a page is met by one more, and one job', async () => {
    const { clock, stops, meet, running, posts } = made();
    meet(/^POST \/api\/prompt/u, { status: 429, body: page }, 1);
    const job = await running();
    await clock.advance(2_000);
    expect(job.error()).toBeUndefined();
    expect(job.last().promptId).toBe('p1');
    expect(posts()).toBe(2);
    expect(stops()).toEqual(['none']);
  });

  it.each([401, 403])(
    'E27: of %i that comes once to a submission is that submission’s, which is not sent again',
    async (status) => {
      const { client, clock, stops, meet, posts } = made();
      meet(/^POST \/api\/prompt/u, { status, body: page }, 1);
      const submitting = client.rest.submit(workflow)();
      await clock.advance(10_000);
      expect(await submitting).toMatchObject({ left: { status } });
      expect(posts()).toBe(1);
      expect(stops()).toEqual(['none']);
      expect(await client.rest.submit(workflow)()).toMatchObject({ _tag: 'Right' });
    },
  );

  it('E27: 429 without a word stops submissions at the third time, and with the plan’s word at the first', async () => {
    for (const [answer, times] of [
      [{ status: 429 }, 3],
      [worded(429, 'CLOUD_SUBSCRIPTION_REQUIRED'), 1],
    ] as const) {
      const { client, clock, stops, meet, posts } = made();
      meet(/^POST \/api\/prompt/u, answer);
      const submitting = client.rest.submit(workflow)();
      await clock.advance(10_000);
      expect(await submitting).toMatchObject({ left: { _tag: 'SubscriptionInactive' } });
      expect(stops()).toEqual(['none', 'billing']);
      expect(posts()).toBe(times);
      await client.rest.submit(workflow)();
      expect(posts()).toBe(times);
    }
  });

  it('E27: of the withdrawn is not met again', async () => {
    const { clock, meet, running, posts } = made();
    meet(/^POST \/api\/prompt/u, { status: 429, body: page });
    const job = await running();
    job.stop();
    await clock.advance(60_000);
    expect(posts()).toBe(1);
  });

  it('E23: met by a hundred submissions at once is confirmed by one of them', async () => {
    const { client, clock, meet, posts } = made();
    meet(/^POST \/api\/prompt/u, { status: 429, body: page });
    const all = Promise.all(Array.from({ length: 100 }, () => client.rest.submit(workflow)()));
    await clock.advance(30_000);
    for (const answer of await all) expect(answer).toMatchObject({ left: { _tag: 'SubscriptionInactive' } });
    expect(posts()).toBe(102);
  });

  it.each([
    ['a stray page', [429, 200, 403]],
    ['another refusal', [401, 401, 429]],
  ])('E22: does not count where stray refusals and %s come in a row', async (_, statuses) => {
    const { client, clock, meet, stops } = made();
    for (const status of statuses) meet(/status/u, { status, body: status === 200 ? '' : page }, 1);
    const asked = client.rest.jobStatus('p')();
    await clock.advance(30_000);
    expect(await asked).toMatchObject({ right: { phase: 'in_progress' } });
    expect(stops()).toEqual(['none']);
  });

  it('E27: of a submission that meets a stray page twice is sent no more, as a page took no submission', async () => {
    const { client, clock, meet, posts } = made();
    meet(/^POST \/api\/prompt/u, { status: 429, body: page }, 1);
    meet(/^POST \/api\/prompt/u, { status: 200, body: page }, 1);
    const submitting = client.rest.submit(workflow)();
    await clock.advance(60_000);
    expect(await submitting).toMatchObject({ left: { _tag: 'Decode', retry: 'after' } });
    expect(posts()).toBe(2);
  });

  it.each([
    ['a stray page comes between', 1],
    ['its route answers with a page for good', Infinity],
  ])('E23: is confirmed by one call, also where %s', async (_, times) => {
    const { client, clock, meet, platform, revoke, running } = made();
    await running();
    revoke();
    const all = Promise.all(Array.from({ length: 20 }, (_, index) => client.rest.jobStatus(`p${index}`)()));
    await clock.advance(0);
    const sent = platform.requests.length;
    meet(/status/u, { status: 400, body: page }, times);
    await clock.advance(30_000);
    const refused = (await all).filter(
      (answer) => answer._tag === 'Left' && answer.left._tag === 'Unauthorized',
    );
    expect(refused.length).toBeGreaterThanOrEqual(19);
    expect(platform.requests.length - sent).toBeLessThanOrEqual(6);
  });

  it('E23: is confirmed by one call, also where the timers of a hidden page run a minute late', async () => {
    const { client, clock, platform, revoke, running } = made();
    await running();
    revoke();
    const first = client.rest.jobStatus('p0')();
    await clock.advance(0);
    const others = Array.from({ length: 20 }, () => client.rest.submit(workflow)());
    await clock.advance(0);
    const sent = platform.requests.length;
    clock.block(50_000);
    await clock.advance(30_000);
    for (const answer of await Promise.all([first, ...others]))
      expect(answer).toMatchObject({ left: { _tag: 'Unauthorized' } });
    expect(platform.requests.length - sent).toBeLessThanOrEqual(4);
  });

  it('E23: met by a hundred jobs, a thousand in all runs, sends a handful of requests into it, and ends none of their streams', async () => {
    const { client, clock, platform, revoke, socket, accept, finish } = made();
    const jobs = Array.from({ length: runs(1000) }, (_, index) => watch(client.follow(`p${index}`)));
    for (let time = 0, opened = 0; time < 13; time += 1) {
      if (platform.sockets.length > opened) socket().open();
      else socket().pong();
      opened = platform.sockets.length;
      await clock.advance(20_000);
    }
    expect(jobs.every(({ last }) => last().phase === 'in_progress')).toBe(true);
    revoke();
    socket().end({ code: 1008 });
    const [requests, sockets] = [platform.requests.length, platform.sockets.length];
    await clock.advance(280_000);
    expect(platform.requests.length - requests).toBeLessThanOrEqual(15);
    expect(platform.sockets).toHaveLength(sockets);
    accept();
    finish();
    await clock.advance(600_000);
    expect(jobs.filter(({ error }) => error() !== undefined)).toEqual([]);
    expect(jobs.every(({ last }) => last().phase === 'completed')).toBe(true);
  });
});

describe('an auth stop', () => {
  it('E24: is no end of a job whose key is refused for an hour, and of nothing else that was known', async () => {
    const { client, clock, revoke, accept, running, socket, last, finish, platform, stops } = made();
    const job = await running();
    revoke();
    socket().end({ code: 1008 });
    await clock.advance(3_600_000);
    expect(job.error()).toBeUndefined();
    expect(last()).toMatchObject({ _tag: 'auth', error: { _tag: 'Unauthorized' } });
    expect(await client.submit(workflow)()).toMatchObject({ left: { _tag: 'Unauthorized' } });
    expect(platform.sockets).toHaveLength(1);
    accept();
    finish();
    await clock.advance(1_800_000);
    expect(stops()).toEqual(['none', 'auth', 'none']);
    expect(platform.sockets).toHaveLength(2);
    socket().open();
    await clock.advance(1_000);
    expect(job.last()).toMatchObject({ phase: 'completed', outputs });
  });

  it('E24: lets REST tell of jobs while submissions alone are refused', async () => {
    const { client, clock, meet, running, stops, finish, socket, posts } = made();
    const job = await running();
    meet(/^POST \/api\/prompt|\/api\/user$/u, { status: 401, body: page });
    const submitting = client.rest.submit(workflow)();
    await clock.advance(10_000);
    expect(await submitting).toMatchObject({ left: { _tag: 'Unauthorized' } });
    expect(posts()).toBe(2);
    expect(stops()).toEqual(['none', 'auth']);
    socket().end({ errorCode: 'ECONNRESET' });
    finish();
    await clock.advance(5_000);
    expect(job.last()).toMatchObject({ phase: 'completed', outputs });
  });

  it('E25: asks for the key by nothing but its probes, and leaves no timer after close()', async () => {
    const { client, clock, revoke, platform } = made();
    revoke();
    expect(await client.rest.user()()).toMatchObject({ left: { _tag: 'Unauthorized' } });
    expect(await client.rest.jobStatus('p1')()).toMatchObject({ left: { _tag: 'Unauthorized' } });
    expect(platform.requests).toHaveLength(2);
    const askedAt: number[] = [];
    for (let minute = 1; minute <= 95; minute += 1) {
      const before = platform.requests.length;
      await clock.advance(60_000);
      await client.rest.jobStatus('p1')();
      if (platform.requests.length > before) askedAt.push(minute);
    }
    expect(askedAt).toEqual([5, 15, 35, 65, 95]);
    await client.close();
    expect(clock.pending()).toBe(0);
    await clock.advance(3_600_000);
    expect(platform.requests).toHaveLength(7);
  });

  it.each(['resume', 'setKey'] as const)('E25: ends at once by %s', async (how) => {
    const { client, clock, revoke, accept, stops } = made();
    revoke();
    await client.rest.user()();
    accept();
    if (how === 'resume') client.resume();
    else client.setKey('comfyui-another');
    expect(stops()).toEqual(['none', 'auth', 'none']);
    expect(clock.pending()).toBe(0);
    expect(await client.rest.user()()).toMatchObject({ _tag: 'Right' });
  });
});

describe('a billing stop', () => {
  it('E26: ends by the one submission a minute that its user makes', async () => {
    const { client, clock, meet, stops, posts } = made();
    meet(/^POST \/api\/prompt/u, worded(402, 'PAYMENT_REQUIRED'), 2);
    await client.rest.submit(workflow)();
    for (let second = 0; second < 60; second += 1) {
      expect(await client.rest.submit(workflow)()).toMatchObject({ left: { _tag: 'InsufficientCredits' } });
      await clock.advance(1_000);
    }
    expect(posts()).toBe(1);
    expect(await client.rest.submit(workflow)()).toMatchObject({ left: { _tag: 'InsufficientCredits' } });
    expect(posts()).toBe(2);
    await clock.advance(3_600_000);
    expect(posts()).toBe(2);
    expect(await client.rest.submit(workflow)()).toMatchObject({ _tag: 'Right' });
    expect(stops()).toEqual(['none', 'billing', 'none']);
    expect(await client.rest.submit(workflow)()).toMatchObject({ _tag: 'Right' });
  });
});

describe('the socket and the key', () => {
  it('A16: setKey reopens the open socket with the new key, and follows its jobs on', async () => {
    const { client, clock, platform, socket, running } = made();
    const job = await running();
    client.setKey('comfyui-another');
    expect(platform.sockets).toHaveLength(2);
    expect(platform.sockets[0]!.closedBy()).toBe('client');
    expect(new URL(socket().url).searchParams.get('token')).toBe('comfyui-another');
    socket().open();
    socket().receive(messages('p1').progress('9', 1, 2));
    await clock.advance(0);
    expect(job.last().nodes['9']).toMatchObject({ value: 1 });
    expect(platform.requests.at(-1)?.headers['x-api-key']).toBe('comfyui-another');
  });

  it('A16: setKey with the key that is in force leaves the socket as it is', async () => {
    const { client, platform, running } = made();
    await running();
    client.setKey(key);
    expect(platform.sockets).toHaveLength(1);
  });

  it('A14: a socket that is accepted and closed with 1008 is a refused key where REST says so', async () => {
    const { client, clock, platform, revoke, running, socket, stops } = made();
    await running();
    const states = watch(client.connection) as unknown as {
      readonly states: { readonly _tag: string }[];
    };
    revoke();
    socket().end({ code: 1008 });
    await clock.advance(10_000);
    expect(states.states.map(({ _tag }) => _tag)).toEqual(['open', 'waiting', 'failed']);
    expect(stops()).toEqual(['none', 'auth']);
    expect(platform.sockets).toHaveLength(1);
  });

  it('A15: a handshake that is refused once, while REST accepts the key, is made again', async () => {
    const { clock, platform, running, socket, stops } = made();
    await running();
    socket().end({ errorCode: 'ECONNRESET' });
    await clock.advance(1_000);
    socket().end({ status: 401 });
    await clock.advance(15_000);
    expect(platform.sockets).toHaveLength(3);
    socket().open();
    expect(stops()).toEqual(['none']);
  });
});

import { inspect } from 'node:util';
import { firstValueFrom, lastValueFrom, take, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createClientOn } from '../src/client/client.js';
import { fromTaskEither } from '../src/core/interop/from-task-either.js';
import type { ClientOptions } from '../src/client/client-options.js';
import type { Client } from '../src/client/client-types.js';
import type { HttpRequest } from '../src/core/platform/platform.js';
import { countingSignal } from './helpers/counting-signal.js';
import { type FakeAnswer, fakePlatform } from './helpers/fake-platform.js';
import { leftOf } from './helpers/http-connection.js';
import { imageOf, messages, watch } from './helpers/job-harness.js';
import { record } from './helpers/record.js';

const key = 'comfyui-0123456789abcdef';
const workflow = { 9: { class_type: 'SaveImage', inputs: {} } };
const outputs = { 9: { images: [imageOf('a.png')] } };

/** A small service: accepts every job as `p1`, `p2`, … and has each of them completed in history. */
const service = () => {
  let accepted = 0;
  return ({ method, url }: HttpRequest): FakeAnswer => {
    const { pathname } = new URL(url);
    if (method === 'POST' && pathname.endsWith('/api/prompt')) {
      accepted += 1;
      return { body: { prompt_id: `p${accepted}`, number: accepted, node_errors: {} } };
    }
    if (pathname.includes('/history_v2/'))
      return { body: { outputs, status: { status_str: 'success', completed: true } } };
    if (pathname.endsWith('/api/queue')) return { body: { deleted: ['p1'] } };
    return { status: 404, body: { code: 'NOT_FOUND', message: 'no such thing' } };
  };
};

const made = (
  options: Partial<ClientOptions> = {},
  answer: (request: HttpRequest) => FakeAnswer | Promise<FakeAnswer> = service(),
) => {
  const platform = fakePlatform(answer);
  const client = createClientOn(platform, { baseUrl: 'https://service.example', apiKey: key, ...options });
  return { platform, client, clock: platform.clock, socket: () => platform.sockets.at(-1)! };
};

describe('createClientOn', () => {
  it.each([
    ['no address', { baseUrl: 'not an address' }],
    ['clear text over a network', { baseUrl: 'http://service.example', apiKey: key }],
    ['a secret header in clear text', { baseUrl: 'http://service.example', headers: { cookie: `s=${key}` } }],
    ['an empty key', { baseUrl: 'https://service.example', apiKey: ' ' }],
    ['a key with a line break', { baseUrl: 'https://service.example', apiKey: `${key}\nX: y` }],
  ])('throws InvalidConfig for %s and quotes no key', (_, options) => {
    const make = (): Client => createClientOn(fakePlatform(), options);
    expect(make).toThrow(expect.objectContaining({ _tag: 'InvalidConfig' }) as Error);
    expect(make).not.toThrow(key);
  });

  it.each([
    ['http://service.example', {}],
    ['http://service.example', { headers: { 'user-agent': 'me' } }],
    ['http://service.example', { dialect: 'local', apiKey: key }],
    ['http://service.example', { apiKey: key, allowClearText: true }],
    ['http://192.168.1.20:8188', { dialect: 'local' }],
    ['http://192.168.1.20:8188', { apiKey: key }],
    ['http://comfy:8188', { headers: { authorization: `Bearer ${key}` } }],
  ] as const)(
    'N4 takes %s, where no secret crosses a network that is not one of its own: %j',
    (baseUrl, options) => {
      expect(() => createClientOn(fakePlatform(), { baseUrl, ...options })).not.toThrow();
    },
  );

  it('N4 sends no secret in clear text over a network that comes later: a key, a header, a partner key', async () => {
    const platform = fakePlatform(service());
    let headers: Record<string, string> = { 'user-agent': 'me' };
    const client = createClientOn(platform, {
      baseUrl: 'http://service.example',
      headers: () => headers,
    });
    expect(() => client.setKey(key)).toThrow(expect.objectContaining({ option: 'baseUrl' }) as Error);
    const partner = await client.rest.submit(workflow, { partnerKey: key })();
    headers = { authorization: `Bearer ${key}` };
    const header = await client.rest.queue()();
    for (const refused of [leftOf(partner), leftOf(header)])
      expect(refused).toMatchObject({ _tag: 'InvalidConfig', option: 'baseUrl' });
    expect(platform.requests).toEqual([]);
  });

  it.each([
    ['10 at once and 5 a second', {}, 10, 5],
    ['what the program says', { requestBudget: { burst: 3, perSecond: 1 } }, 3, 1],
    ['100 at once and a second of a local server', { dialect: 'local', notFoundAfterMs: 60_000 }, 100, 100],
    ['what it says of one of the two', { requestBudget: { burst: 3, perSecond: undefined } }, 3, 5],
  ] as const)('F22: asks about its jobs as fast as %s', async (_, options, burst, perSecond) => {
    const busy = { body: { status: 'pending', queue_running: [], queue_pending: [] } };
    const { client, clock, platform, socket } = made(options, ({ url }) =>
      url.includes('history') ? { body: {} } : busy,
    );
    const jobs = Array.from({ length: 300 }, (_none, index) => client.follow(`p${index}`).subscribe());
    socket().open();
    await clock.advance(5_000);
    const count = platform.requests.length;
    await clock.advance(2_000);
    for (const job of jobs) job.unsubscribe();
    expect(count).toBeGreaterThanOrEqual(burst);
    expect(platform.requests.length - count).toBeLessThanOrEqual(2 * perSecond);
    expect(platform.requests.length).toBeLessThanOrEqual(burst + 7 * perSecond);
    expect(platform.requests.length).toBeGreaterThanOrEqual(burst + 6 * perSecond);
    await client.close();
  });

  it('has the calls of the interface under rest, and none of its own', () => {
    const { client } = made();
    expect(Object.keys(client.rest)).toEqual(expect.arrayContaining(['submit', 'jobDetail', 'cancel']));
    for (const own of ['jobsApi', 'cancelJob']) expect(client.rest).not.toHaveProperty(own);
  });

  it('opens nothing before something is asked for', async () => {
    const { platform, clock } = made();
    await clock.advance(60_000);
    expect(platform.sockets).toHaveLength(0);
    expect(platform.requests).toHaveLength(0);
    expect(clock.pending()).toBe(0);
  });

  it('sends the key in the header of REST and as token of the socket, a fresh id for each socket', async () => {
    const { client, platform, socket, clock } = made();
    client.frames.subscribe({ error: () => undefined });
    await client.rest.user()();
    expect(platform.requests[0]?.headers['x-api-key']).toBe(key);
    const url = new URL(socket().url);
    expect(url.origin).toBe('wss://service.example');
    expect(url.pathname).toBe('/ws');
    expect(url.searchParams.get('token')).toBe(key);
    socket().end();
    await clock.advance(2_000);
    expect(new URL(socket().url).searchParams.get('clientId')).not.toBe(url.searchParams.get('clientId'));
  });

  it('sends no key anywhere in the local dialect, and the socket’s id with the submission', async () => {
    const { client, platform, socket, clock } = made({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
    client.run(workflow).subscribe({ error: () => undefined });
    socket().open();
    await clock.advance(0);
    const posted = platform.requests.find(({ method }) => method === 'POST')!;
    expect(JSON.parse(posted.json!)).toMatchObject({
      client_id: new URL(socket().url).searchParams.get('clientId'),
      prompt_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    for (const request of platform.requests) expect(JSON.stringify(request)).not.toContain(key);
    expect(socket().url).not.toContain(key);
  });

  it('M2: names no job of a local submission that may not exist, and its id once the server takes ids', async () => {
    const { client, socket, clock, platform } = made(
      { baseUrl: 'http://127.0.0.1:8188', dialect: 'local' },
      ({ method, url, json }) => {
        if (method === 'GET') return { status: 503 };
        const { prompt_id: id } = JSON.parse(json!) as { readonly prompt_id: string };
        const posts = platform.requests.filter(({ url: asked }) => asked === url).length;
        return posts === 2 ? { status: 200, body: { prompt_id: id } } : { status: 500, body: 'trouble' };
      },
    );
    const lost = async () => {
      const running = watch(client.run(workflow));
      if (platform.sockets.length === 1) socket().open();
      await clock.advance(300_000);
      const posted = platform.requests.findLast(({ method }) => method === 'POST')!;
      return { error: running.error(), id: (JSON.parse(posted.json!) as { prompt_id: string }).prompt_id };
    };
    expect((await lost()).error).toMatchObject({ _tag: 'OutcomeUnknown', candidates: [] });
    await lost();
    const { error, id } = await lost();
    expect(error).toMatchObject({ _tag: 'OutcomeUnknown', candidates: [id] });
  });

  it('keeps a path prefix', async () => {
    const { client, platform, socket } = made({ baseUrl: 'https://service.example/team/' });
    client.frames.subscribe({ error: () => undefined });
    await client.rest.user()();
    expect(new URL(platform.requests[0]!.url).pathname).toBe('/team/api/user');
    expect(new URL(socket().url).pathname).toBe('/team/ws');
  });

  it('submits a job and follows it to its end without subscribers', async () => {
    const { client, socket, clock } = made();
    const submitting = client.submit(workflow)();
    socket().open();
    await clock.advance(0);
    const submitted = await submitting;
    expect(submitted).toMatchObject({ _tag: 'Right', right: { promptId: 'p1' } });
    if (submitted._tag === 'Left') return;
    socket().receive(messages('p1').success);
    await clock.advance(0);
    expect(watch(submitted.right.states).last()).toMatchObject({ phase: 'completed', outputs });
    await clock.advance(5_000);
    expect(socket().closedBy()).toBe('client');
    // The job's frames are kept for a while.
    await clock.advance(30_000);
    expect(clock.pending()).toBe(0);
  });

  it('makes two submissions of a TaskEither that is run twice', async () => {
    const { client, socket, clock } = made();
    const task = client.submit(workflow);
    const both = Promise.all([task(), task()]);
    socket().open();
    await clock.advance(0);
    expect((await both).map((answer) => answer._tag === 'Right' && answer.right.promptId)).toEqual([
      'p1',
      'p2',
    ]);
  });

  it('keeps a submission on `recent` whose watcher left before the answer', async () => {
    let answer = (): void => undefined;
    const platform = fakePlatform(
      () => new Promise((resolve) => (answer = () => resolve({ body: { prompt_id: 'late' } }))),
    );
    const client = createClientOn(platform, { baseUrl: 'https://service.example', apiKey: key });
    const running = watch(client.run(workflow));
    platform.sockets[0]!.open();
    await platform.clock.advance(0);
    running.stop();
    answer();
    await platform.clock.advance(0);
    expect(client.recent).toMatchObject([{ promptId: 'late' }]);
  });

  /** A service that takes submissions and answers none. */
  const silent = () => new Promise<never>(() => undefined);

  it.each(['submit', 'run', 'runAll'] as const)(
    'I-16: tells that the outcome of %s is unknown where the client is closed during the POST, and keeps it on `recent`',
    async (way) => {
      const platform = fakePlatform(silent);
      const client = createClientOn(platform, { baseUrl: 'https://service.example', apiKey: key });
      const ways = {
        submit: () => fromTaskEither(() => client.submit(workflow, { label: 'mine' })),
        run: () => client.run(workflow, { label: 'mine' }),
        runAll: () => client.runAll([workflow], { label: () => 'mine' }),
      };
      const told = record<unknown>(ways[way]());
      platform.sockets[0]!.open();
      await platform.clock.advance(0);
      expect(platform.requests).toHaveLength(1);
      await client.close();
      await platform.clock.advance(0);
      const error = { _tag: 'OutcomeUnknown', startedAt: platform.clock.wall() };
      const call = way === 'runAll' ? { label: 'mine', index: 0 } : { label: 'mine' };
      if (way === 'runAll') {
        expect(told.values.at(-1)).toMatchObject({
          ...call,
          state: { phase: 'unknown', failure: { exceptionType: error._tag, startedAt: error.startedAt } },
        });
      } else {
        expect(told.error).toMatchObject(error);
      }
      expect(client.recent).toMatchObject([{ ...call, submittedAt: error.startedAt, error }]);
      expect(platform.clock.pending()).toBe(0);
    },
  );

  it('I-16: keeps a submission on `recent` whose signal fired during the POST', async () => {
    const platform = fakePlatform(silent);
    const client = createClientOn(platform, { baseUrl: 'https://service.example', apiKey: key });
    const user = new AbortController();
    const running = watch(client.run(workflow, { signal: user.signal, label: 'mine' }));
    platform.sockets[0]!.open();
    await platform.clock.advance(0);
    user.abort();
    await platform.clock.advance(0);
    expect(running.error()).toMatchObject({ _tag: 'OutcomeUnknown' });
    expect(client.recent).toMatchObject([{ label: 'mine', error: { _tag: 'OutcomeUnknown' } }]);
  });

  it('I-16: keeps a submission on `recent` whose outcome became unknown after its watcher had left', async () => {
    const platform = fakePlatform(silent);
    const client = createClientOn(platform, { baseUrl: 'https://service.example', apiKey: key });
    const running = watch(client.run(workflow));
    platform.sockets[0]!.open();
    await platform.clock.advance(0);
    running.stop();
    await client.close();
    await platform.clock.advance(0);
    expect(client.recent).toMatchObject([{ error: { _tag: 'OutcomeUnknown' } }]);
  });

  it.each(['closed', 'aborted'] as const)(
    'I-17: tells in runAll which submission has an unknown outcome before the end of the whole, when %s',
    async (how) => {
      let posted = 0;
      const { client, socket, clock } = made({}, (request) =>
        request.url.endsWith('/api/prompt') && (posted += 1) === 2 ? silent() : service()(request),
      );
      const user = new AbortController();
      const told = record(
        client.runAll([workflow, workflow, workflow], {
          concurrency: 2,
          signal: user.signal,
          label: (_, index) => `order ${index}`,
        }),
      );
      socket().open();
      await clock.advance(0);
      if (how === 'closed') await client.close();
      else user.abort();
      await clock.advance(0);
      expect(told.values.at(-1)).toMatchObject({ index: 1, label: 'order 1', state: { phase: 'unknown' } });
      expect(told.error).toMatchObject({ _tag: how === 'closed' ? 'Closed' : 'Aborted', promptId: 'p1' });
      expect(client.recent).toMatchObject([{ index: 1, label: 'order 1' }]);
      expect(posted).toBe(2);
    },
  );

  it('is Closed, and not on `recent`, where the client is closed before the POST', async () => {
    const { client, clock } = made();
    const running = watch(client.run(workflow));
    await client.close();
    await clock.advance(0);
    expect(running.error()).toMatchObject({ _tag: 'Closed' });
    expect(client.recent).toEqual([]);
  });

  describe('that is being drained', () => {
    const drained = (client: Client) => {
      let isDone = false;
      void client.drain().then(() => (isDone = true));
      return () => isDone;
    };

    it('I-19: refuses new submissions, and is drained once those that were made are settled', async () => {
      const { client, platform, socket, clock } = made({ tier: 'unlimited' });
      const running = watch(client.run(workflow));
      const submitting = client.submit(workflow)();
      // Not sent yet, since the socket is still to open.
      const isDrained = drained(client);
      socket().open();
      await clock.advance(0);
      expect(await submitting).toMatchObject({ _tag: 'Right' });

      expect(await client.submit(workflow)()).toMatchObject({ left: { _tag: 'Draining', retry: 'never' } });
      expect(await client.rest.submit(workflow)()).toMatchObject({ left: { _tag: 'Draining' } });
      expect(watch(client.run(workflow)).error()).toMatchObject({ _tag: 'Draining' });
      expect(watch(client.runAll([workflow])).error()).toMatchObject({ _tag: 'Draining' });
      expect(platform.requests.filter(({ url }) => url.endsWith('/api/prompt'))).toHaveLength(2);

      socket().receive(messages('p1').success);
      await clock.advance(0);
      expect(running.completed()).toBe(true);
      expect(isDrained()).toBe(false);
      socket().receive(messages('p2').success);
      await clock.advance(0);
      expect(isDrained()).toBe(true);
    });

    it('I-19: takes no more workflows in runAll, which completes with the jobs that run', async () => {
      const { client, socket, clock } = made({ tier: 'standard' });
      let taken = 0;
      const endless = function* () {
        for (;;) {
          taken += 1;
          yield workflow;
        }
      };
      const running = watch(client.runAll(endless()));
      socket().open();
      await clock.advance(0);
      const isDrained = drained(client);
      expect(running.completed()).toBe(false);
      socket().receive(messages('p1').success);
      await clock.advance(0);
      expect(running.completed()).toBe(true);
      expect(running.error()).toBeUndefined();
      expect([taken, isDrained()]).toEqual([1, true]);
    });

    it('still follows and cancels', async () => {
      const { client, socket, clock } = made();
      await client.drain();
      const followed = watch(client.follow('p1'));
      socket().open();
      socket().receive(messages('p1').success);
      await clock.advance(0);
      expect(followed.last()).toMatchObject({ phase: 'completed', outputs });
      expect(await client.cancel('p1')()).toMatchObject({ _tag: 'Right' });
    });

    it('waits for the request that ends an abandoned job', async () => {
      let answer = (): void => undefined;
      const { client, socket, clock } = made({}, (request) =>
        request.url.endsWith('/api/queue')
          ? new Promise((resolve) => (answer = () => resolve({ body: { deleted: ['p1'] } })))
          : service()(request),
      );
      const running = watch(client.run(workflow, { onUnsubscribe: 'cancel' }));
      socket().open();
      await clock.advance(0);
      running.stop();
      const isDrained = drained(client);
      await clock.advance(0);
      expect(isDrained()).toBe(false);
      answer();
      await clock.advance(0);
      expect(isDrained()).toBe(true);
    });

    it('does not wait for a job whose watcher has left', async () => {
      const { client, socket, clock } = made();
      const running = watch(client.run(workflow));
      socket().open();
      await clock.advance(0);
      const isDrained = drained(client);
      running.stop();
      await clock.advance(0);
      expect(isDrained()).toBe(true);
    });

    it.each(['before', 'after'] as const)(
      'is drained where it is closed %s the socket opens',
      async (when) => {
        const { client, socket, clock } = made({}, () => new Promise<never>(() => undefined));
        watch(client.run(workflow));
        if (when === 'after') socket().open();
        await clock.advance(0);
        const isDrained = drained(client);
        expect(isDrained()).toBe(false);
        await client.close();
        await clock.advance(0);
        expect(isDrained()).toBe(true);
      },
    );
  });

  it('I-18: takes the workflows of runAll from an async iterable, one for each place', async () => {
    const { client, platform, socket, clock } = made({ tier: 'standard' });
    let taken = 0;
    let isReturned = false;
    // eslint-disable-next-line @typescript-eslint/require-await -- a body is an async iterable
    const endless = async function* () {
      try {
        for (;;) {
          taken += 1;
          yield workflow;
        }
      } finally {
        isReturned = true;
      }
    };
    const running = watch(client.runAll(endless()));
    await clock.advance(0);
    socket().open();
    await clock.advance(0);
    socket().receive(messages('p1').success);
    await clock.advance(0);
    expect(platform.requests.filter(({ url }) => url.endsWith('/api/prompt'))).toHaveLength(2);
    expect(taken).toBe(2);
    running.stop();
    await clock.advance(0);
    expect(isReturned).toBe(true);
  });

  it('asks for the end of an abandoned job by its id, once', async () => {
    const { client, platform, socket, clock } = made();
    const running = watch(client.run(workflow, { onUnsubscribe: 'cancel' }));
    socket().open();
    await clock.advance(0);
    running.stop();
    await clock.advance(0);
    const deletes = platform.requests.filter(({ url }) => url.endsWith('/api/queue'));
    expect(deletes.map(({ json }) => JSON.parse(json!) as unknown)).toEqual([{ delete: ['p1'] }]);
    expect(platform.requests.some(({ url }) => url.includes('interrupt'))).toBe(false);
  });

  it('uses its own tier for runAll, unless told otherwise', async () => {
    const { client, platform, socket, clock } = made({ tier: 'creator' });
    client.runAll(Array(6).fill(workflow)).subscribe({ error: () => undefined });
    socket().open();
    await clock.advance(0);
    expect(platform.requests.filter(({ method }) => method === 'POST')).toHaveLength(3);
  });

  it('replays its connection, ends it with closed, and ends everything at once', async () => {
    const { client, socket, clock } = made();
    const running = watch(client.run(workflow));
    const connection = lastValueFrom(client.connection.pipe(toArray()));
    socket().open();
    await clock.advance(0);
    await client.close();
    expect((await connection).map(({ _tag }) => _tag)).toEqual(['connecting', 'open', 'closed']);
    expect(await firstValueFrom(client.connection.pipe(take(1)))).toEqual({ _tag: 'closed' });
    expect(running.error()).toMatchObject({ _tag: 'Closed' });
    expect(record(client.frames).end).toBe('complete');
    expect(await client.rest.user()()).toMatchObject({ left: { _tag: 'Closed' } });
    expect(await client.submit(workflow)()).toMatchObject({ left: { _tag: 'Closed' } });
    expect(clock.pending()).toBe(0);
    await client.close();
  });

  it('I-14: keeps of the frames of its jobs as many bytes as it is told, and none once it is closed', async () => {
    const { client, socket, clock } = made({ keptFrames: { jobBytes: 2_000 } });
    const submitting = client.submit(workflow)();
    socket().open();
    await clock.advance(0);
    const submitted = await submitting;
    if (submitted._tag === 'Left') throw submitted.left;
    for (let value = 0; value < 100; value += 1) socket().receive(messages('p1').progress('9', value, 100));
    const kept = record(submitted.right.frames).values.length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(20);
    await client.close();
    expect(record(submitted.right.frames)).toMatchObject({ values: [], end: 'complete' });
    expect(clock.pending()).toBe(0);
  });

  it('shares one listener with all others on its signal, and takes it back', async () => {
    const { signal, listeners } = countingSignal();
    const clients = Array.from({ length: 12 }, () => made({ signal }).client);
    expect(listeners()).toBe(1);
    for (const client of clients) await client.close();
    expect(listeners()).toBe(0);
  });

  it('is closed by its signal and by the end of an `await using` block', async () => {
    const controller = new AbortController();
    const { client } = made({ signal: controller.signal });
    controller.abort();
    expect(record(client.frames).end).toBe('complete');
    const other = made();
    {
      await using inner = other.client;
      expect(record(inner.frames).end).toBe('none');
    }
    expect(record(other.client.frames).end).toBe('complete');
    expect(record(made({ signal: controller.signal }).client.frames).end).toBe('complete');
  });

  it('A4: submits after 10 s where a socket was refused and nobody says why', async () => {
    const answers = service();
    const { client, clock, platform, socket } = made({}, (request) =>
      request.url.endsWith('/api/user') ? new Promise(() => undefined) : answers(request),
    );
    const job = watch(client.run(workflow));
    socket().end();
    const posts = (): number => platform.requests.filter(({ method }) => method === 'POST').length;
    await clock.advance(9_999);
    expect(posts()).toBe(0);
    await clock.advance(1);
    expect(posts()).toBe(1);
    job.stop();
    await client.close();
  });

  it('takes a new key for everything from then on, and connects again', async () => {
    const { client, platform, socket } = made();
    const job = watch(client.follow('p1'));
    socket().end({ status: 401 });
    client.setKey('comfyui-another');
    expect(platform.sockets).toHaveLength(2);
    expect(new URL(socket().url).searchParams.get('token')).toBe('comfyui-another');
    await client.rest.user()();
    expect(platform.requests.at(-1)?.headers['x-api-key']).toBe('comfyui-another');
    expect(() => client.setKey('bad\nkey')).toThrow(
      expect.objectContaining({ _tag: 'InvalidConfig' }) as Error,
    );
    job.stop();
  });

  it('asks again with the new key where the old one was refused after it had been changed', async () => {
    const answers: ((answer: FakeAnswer) => void)[] = [];
    const platform = fakePlatform(() => new Promise((resolve) => answers.push(resolve)));
    const client = createClientOn(platform, { baseUrl: 'https://service.example', apiKey: key });
    const asking = client.rest.jobStatus('p1')();
    await platform.clock.advance(0);
    client.setKey('comfyui-another');
    answers[0]!({ status: 401, body: {} });
    await platform.clock.advance(0);
    expect(platform.requests.map(({ headers }) => headers['x-api-key'])).toEqual([key, 'comfyui-another']);
    answers[1]!({ body: { id: 'p1', status: 'in_progress' } });
    expect(await asking).toMatchObject({ _tag: 'Right', right: { phase: 'in_progress' } });
  });

  it('never shows its key: not inspected, not as JSON, not in an error that quotes the service', async () => {
    const { client } = made({}, () => ({
      status: 400,
      body: { error: { type: 'x', message: `bad ${key}` } },
    }));
    const refused = await client.rest.user()();
    const shown = [
      inspect(client, { depth: 10, showHidden: true }),
      JSON.stringify(client),
      inspect(refused, { depth: 10 }),
    ];
    for (const text of shown) expect(text).not.toContain(key);
  });

  it('is without downloads and redirects where there is no access to files', async () => {
    const { client, platform } = made({}, () => ({
      status: 302,
      headers: { location: 'https://storage.example/a.png' },
    }));
    await expect(lastValueFrom(client.download([], '/somewhere'))).rejects.toMatchObject({
      _tag: 'InvalidConfig',
      option: 'dir',
    });
    expect(await client.rest.view({ filename: 'a.png' })()).toMatchObject({
      left: {
        _tag: 'DownloadFailed',
        status: 302,
        message: expect.stringContaining('where the redirect leads') as string,
      },
    });
    expect(platform.requests).toHaveLength(1);
    await client.close();
  });
});

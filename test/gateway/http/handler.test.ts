import { createHandler } from '../../../src/server/gateway/http/handler.js';
import type { HandlerOptions } from '../../../src/server/gateway/http/handler-options.js';
import { describe, expect, it } from 'vitest';
import type { AccessEntry } from '../../../src/server/gateway/options.js';
import { bearerTokens } from '../../../src/server/gateway/http/bearer-tokens.js';
import type { Route, RouteCall } from '../../../src/server/gateway/http/route.js';
import { virtualClock } from '../../../src/testing.js';
import { watchTokens } from '../../../src/server/gateway/http/watch-tokens.js';

const route = (method: Route['method'], path: string, more: Partial<Route> = {}): Route => ({
  method,
  path,
  access: 'caller',
  errors: path.startsWith('/api/v2') ? 'v2' : 'problem',
  handle: ({ caller, params, base }) => Promise.resolve(Response.json({ caller: caller.name, params, base })),
  ...more,
});

const body = async ({ json }: RouteCall): Promise<Response> => Response.json(await json());

const make = (options: Partial<HandlerOptions> = {}, more: readonly Route[] = []) => {
  const clock = virtualClock();
  const tokens = watchTokens({ clock });
  const routes = [
    route('GET', '/api/v2/jobs/:id', { unlimited: true }),
    route('POST', '/api/v2/jobs', { handle: body }),
    route('GET', '/jobs/:id/events', { access: 'ticket' }),
    route('GET', '/events', { access: 'ticket' }),
    route('GET', '/open', { access: 'open' }),
    route('GET', '/crash', { handle: () => Promise.reject(new Error('secret reason')) }),
    route('GET', '/jobs/:id/preview', { access: 'preview' }),
    route('GET', '/ticket', { handle: async (of) => new Response(await of.previewTicket()) }),
    route('GET', '/jobs/:id/ticket', { handle: async (of) => new Response(await of.previewTicket()) }),
    ...more,
  ];
  const authorize = bearerTokens({ ann: 'token-of-ann', bob: 'token-of-bob' });
  const handle = createHandler({ routes, authorize, tokens, clock, ...options });
  const call = (path: string, { token = 'token-of-ann', ...init }: RequestInit & { token?: string } = {}) => {
    const headers = new Headers(init.headers);
    if (token !== '') headers.set('authorization', `Bearer ${token}`);
    return handle(new Request(`http://127.0.0.1:8080${path}`, { ...init, headers }));
  };
  return { handle, call, clock, tokens };
};

const post = (text: string | ReadableStream<Uint8Array>, headers: Readonly<Record<string, string>> = {}) => ({
  method: 'POST',
  body: text,
  headers: { 'content-type': 'application/json', ...headers },
  ...(typeof text === 'string' ? {} : { duplex: 'half' }),
});

describe('a request', () => {
  it('reaches its route with the parameters decoded and the caller named', async () => {
    const { call } = make();
    const answer = await call('/api/v2/jobs/a%2Fb%20c');
    expect(await answer.json()).toEqual({
      caller: 'ann',
      params: { id: 'a/b c' },
      base: 'http://127.0.0.1:8080',
    });
  });

  it.each([
    ['/api/v2/nothing', {}, 404, 'not_found'],
    ['/api/v2/jobs/x', { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['/api/v2/jobs/%E0%A4', {}, 404, 'not_found'],
    ['/api/v2/jobs', { token: 'token-of-eve' }, 405, 'method_not_allowed'],
    ['/api/v2/jobs/x', { token: 'token-of-eve' }, 401, 'unauthorized'],
    ['/api/v2/jobs/x', { token: '' }, 401, 'unauthorized'],
    ['/api/v2/jobs', post('no json'), 400, 'invalid_request'],
  ] as const)("%s %j is refused in API v2's envelope", async (path, init, status, code) => {
    const answer = await make().call(path, init);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ error: { code, message: expect.any(String) as string } });
  });

  it('elsewhere is refused by problem details, a failure without its reason', async () => {
    const failures: unknown[] = [];
    const answer = await make({ onError: (error) => failures.push(error) }).call('/crash');
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ type: 'about:blank', status: 500, code: 'upstream_error' });
    expect(text).not.toContain('secret reason');
    expect(failures).toHaveLength(1);
  });

  it.each(['/open', '/nothing', '/crash', '/api/v2/jobs/x'])('HEAD of %s has no body', async (path) => {
    const answer = await make().call(path, { method: 'HEAD' });
    expect(await answer.text()).toBe('');
    expect(answer.status).toBe((await make().call(path)).status);
  });

  it.each(['/comfy/api/v2/jobs/x', '/api/v2/jobs/x'])(
    'reaches %s below a mount, and links carry the mount and the public origin',
    async (path) => {
      const { call } = make({ mount: '/comfy', origin: 'https://example.com' });
      expect(await (await call(path)).json()).toMatchObject({ base: 'https://example.com/comfy' });
    },
  );

  it('of an unknown path below a mount is refused as its part of the gateway is', async () => {
    const answer = await make({ mount: '/comfy' }).call('/comfy/api/v2/nothing');
    expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } });
  });

  it('gets the answer that authorize chose', async () => {
    const { call } = make({ authorize: () => new Response('pay first', { status: 402 }) });
    expect((await call('/api/v2/jobs/x')).status).toBe(402);
  });

  it('gets 503 once the gateway goes down, except for its health', async () => {
    const { call } = make({ isClosed: () => true });
    const answer = await call('/api/v2/jobs/x');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ error: { code: 'going_down' } });
    expect((await call('/open')).status).toBe(200);
  });

  it('leaves one entry in the access log, without its query', async () => {
    const log: AccessEntry[] = [];
    const slow = route('POST', '/slow', {
      handle: async () => {
        await clock.advance(70);
        return new Response(null, { status: 204 });
      },
    });
    const { call, clock } = make({ accessLog: (entry) => log.push(entry) }, [slow]);
    await clock.advance(30);
    await call('/events?ticket=abc&after=1');
    await call('/jobs/x/events?ticket=abc.def');
    await call('/slow?secret=1', { method: 'POST' });
    await call('/open');
    expect(log).toEqual([
      { method: 'GET', path: '/events', status: 401, ms: 0 },
      { method: 'GET', path: '/jobs/x/events', status: 401, ms: 0 },
      { method: 'POST', path: '/slow', status: 204, ms: 70, caller: 'ann' },
      { method: 'GET', path: '/open', status: 200, ms: 0 },
    ]);
  });

  it('without a token is told how to send one, and an answer that it is no page', async () => {
    const { call } = make();
    const refused = await call('/api/v2/jobs/x', { token: '' });
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    expect(refused.headers.has('retry-after')).toBe(false);
    expect((await call('/open')).headers.get('x-content-type-options')).toBe('nosniff');
    expect(await (await call('/open', { token: '' })).json()).toMatchObject({ caller: '' });
  });

  it('of another method is told which ones there are, also where the path begins below the mount', async () => {
    const { call } = make({ mount: '/comfy' }, [route('DELETE', '/events')]);
    for (const path of ['/events', '/comfy/events']) {
      const answer = await call(path, { method: 'PUT' });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, DELETE']);
      expect(await answer.json()).toMatchObject({ code: 'method_not_allowed', title: 'Method not allowed' });
    }
    for (const path of ['/comfy', '/comfyevents', '/events/', '/jobs//events', '/comfy/comfy/events'])
      expect([path, (await call(path)).status]).toEqual([path, 404]);
    expect((await make({ mount: '' }).call('//events')).status).toBe(404);
  });

  it('has its watch token taken out of the address that its route sees', async () => {
    let seen = '';
    const look = route('GET', '/look', {
      access: 'ticket',
      handle: ({ url }) => Promise.resolve(new Response((seen = url.search))),
    });
    const { call, tokens } = make({}, [look]);
    const { ticket } = await tokens.issue({ caller: { name: 'ann' } });
    await call(`/look?a=1&ticket=${ticket}&b=2`, { token: '' });
    expect(seen).toBe('?a=1&b=2');
  });

  it('whose route refuses it gets the refusal in the words of its part, with its details and headers', async () => {
    const refusal = {
      ...{ status: 409, code: 'in_use', message: 'It is used.', details: { by: 'a job' } },
      ...{ retryAfterS: 1.2, headers: { 'x-more': 'yes' } },
    };
    const handle = () => Promise.resolve(refusal);
    const { call } = make({}, [route('GET', '/api/v2/no', { handle }), route('GET', '/no', { handle })]);
    const v2 = await call('/api/v2/no');
    expect(await v2.json()).toEqual({
      error: { code: 'in_use', message: 'It is used.', details: { by: 'a job' } },
    });
    const native = await call('/no');
    expect(await native.json()).toEqual({
      ...{ type: 'about:blank', title: 'In use', status: 409, detail: 'It is used.', code: 'in_use' },
      by: 'a job',
    });
    for (const answer of [v2, native])
      expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('x-more')]).toEqual([
        ...[409, '2', 'yes'],
      ]);
    expect(v2.headers.get('content-type')).toBe('application/json');
    expect(v2.headers.get('cache-control')).toBe('no-store');
    expect(v2.headers.get('content-length')).toBe('76');
  });

  it('of HEAD lets the answer go that it does not read', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) });
    const { call } = make({}, [
      route('GET', '/large', { handle: () => Promise.resolve(new Response(body)) }),
      route('GET', '/none', { handle: () => Promise.resolve(new Response(null, { status: 204 })) }),
    ]);
    expect((await call('/large', { method: 'HEAD' })).body).toBeNull();
    expect(isCancelled).toBe(true);
    expect((await call('/none', { method: 'HEAD' })).status).toBe(204);
  });
});

describe('the limits', () => {
  it('refuse a body by its declared length before it is read', async () => {
    let pulls = 0;
    const source = new ReadableStream<Uint8Array>({ pull: () => void (pulls += 1) }, { highWaterMark: 0 });
    const { call } = make({ limits: { bodyBytes: 100 } });
    const answer = await call('/api/v2/jobs', post(source, { 'content-length': '101' }));
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ error: { code: 'payload_too_large' } });
    expect(pulls).toBe(0);
  });

  it('refuse a body by its bytes where it declares none, and read no more than one piece beyond', async () => {
    let pulls = 0;
    const source = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulls += 1;
          controller.enqueue(new Uint8Array(60));
        },
      },
      { highWaterMark: 0 },
    );
    const { call } = make({ limits: { bodyBytes: 100 } });
    expect((await call('/api/v2/jobs', post(source))).status).toBe(413);
    expect(pulls).toBe(2);
  });

  it('refuse a form that is too large as such', async () => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(1000)]), 'a.bin');
    const upload = route('POST', '/up', {
      body: 'upload',
      handle: async (call) => Response.json([...(await call.form()).keys()]),
    });
    const { call } = make({ limits: { uploadBytes: 500 } }, [upload]);
    expect((await call('/up', { method: 'POST', body: form })).status).toBe(413);
    expect(await (await make({}, [upload]).call('/up', { method: 'POST', body: form })).json()).toEqual([
      'file',
    ]);
  });

  it('refuse what exceeds the rate of one caller, for a whole second at least, and never GET of a job', async () => {
    const { call, clock } = make({ limits: { requestsPerSecond: 2 } });
    const statuses = async (path: string, count: number, token?: string): Promise<readonly number[]> => {
      const seen: number[] = [];
      for (let at = 0; at < count; at += 1) {
        seen.push((await call(path, token === undefined ? {} : { token })).status);
      }
      return seen;
    };
    expect(await statuses('/events', 6)).toEqual([200, 200, 200, 200, 429, 429]);
    const refused = await call('/events');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
    // Health is nobody's request.
    expect(await statuses('/open', 9, '')).toEqual(Array.from({ length: 9 }, () => 200));
    expect(await statuses('/events', 1, 'token-of-bob')).toEqual([200]);
    expect(await statuses('/api/v2/jobs/x', 50)).toEqual(Array.from({ length: 50 }, () => 200));
    await clock.advance(1000);
    expect(await statuses('/events', 3)).toEqual([200, 200, 429]);
  });

  it('hold a stream until its route says that it has ended', async () => {
    const ends: (() => void)[] = [];
    const stream = route('GET', '/stream', {
      stream: true,
      handle: ({ ended }) => {
        ends.push(ended);
        return Promise.resolve(new Response(new ReadableStream()));
      },
    });
    const { call } = make({ limits: { streams: 1 } }, [stream]);
    expect((await call('/stream')).status).toBe(200);
    const refused = await call('/stream');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);

    ends[0]!();
    ends[0]!();
    expect((await call('/stream')).status).toBe(200);
    expect((await call('/stream')).status).toBe(429);
  });
});

describe('what a request holds', () => {
  it('is given back when its route refuses it, fails, or answers an upload', async () => {
    const answers: (() => ReturnType<Route['handle']>)[] = [
      () => Promise.resolve({ status: 404, code: 'none', message: 'None.' }),
      () => Promise.reject(new Error('failed')),
      () => Promise.resolve(new Response('streamed')),
    ];
    let nth = 0;
    const handle = () => answers[nth]!();
    const { call } = make({ limits: { streams: 1, uploads: 1 } }, [
      route('GET', '/stream', { stream: true, handle }),
      route('POST', '/up', { body: 'upload', handle }),
    ]);
    for (nth = 0; nth < 3; nth += 1) {
      const statuses = [(await call('/up', { method: 'POST' })).status];
      statuses.push((await call('/up', { method: 'POST' })).status);
      expect(statuses).toEqual([nth === 2 ? 200 : nth === 0 ? 404 : 500, statuses[0]]);
      if (nth < 2) expect((await call('/stream')).status).toBe(statuses[0]);
    }
    nth = 2;
    expect((await call('/stream')).status).toBe(200);
    const refused = await call('/stream');
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      ...[429, 'too_many_streams'],
    ]);
  });

  it('T4 is bounded for all callers together as well: streams and uploads', async () => {
    const ends: (() => void)[] = [];
    const never = new Promise<Response>(() => undefined);
    const { call, clock } = make({ totals: { streams: 1, uploads: 1 } }, [
      route('GET', '/stream', {
        stream: true,
        handle: ({ ended }) => (ends.push(ended), Promise.resolve(new Response(new ReadableStream()))),
      }),
      route('POST', '/up', { body: 'upload', handle: () => never }),
    ]);
    const bob = { token: 'token-of-bob' };
    expect((await call('/stream')).status).toBe(200);
    void call('/up', { method: 'POST' });
    await clock.advance(0);
    for (const [what, path, init] of [
      ['streams', '/stream', bob],
      ['uploads', '/up', { ...bob, method: 'POST' }],
    ] as const) {
      const refused = await call(path, init);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await refused.json()).toMatchObject({
        code: 'overloaded',
        detail: `All callers together have as many ${what} as this gateway takes at once (totals.${what}).`,
      });
    }
    ends[0]!();
    expect((await call('/stream', bob)).status).toBe(200);
  });

  it('T4 is a stream while it waits, and nothing once it is answered', async () => {
    const answers: (() => void)[] = [];
    const waits = route('POST', '/wait', {
      handle: async ({ wait }) => {
        const isWaiting = wait();
        await new Promise<void>((resolve) => answers.push(resolve));
        return new Response(String(isWaiting));
      },
    });
    const { call } = make({ limits: { streams: 1 } }, [waits]);
    const ask = () => call('/wait', { method: 'POST' });
    for (let nth = 0; nth < 3; nth += 1) {
      const first = ask();
      await expect.poll(() => answers.length).toBe(nth + 1);
      expect((await ask()).status).toBe(429);
      answers[nth]!();
      expect(await (await first).text()).toBe('true');
    }
    const none = make({ limits: { streams: 0 } }, [waits]).call('/wait', { method: 'POST' });
    await expect.poll(() => answers.length).toBe(4);
    answers.at(-1)!();
    expect(await (await none).text()).toBe('false');
  });

  it('is limited by its caller’s own limits before those of the gateway', async () => {
    const never = new Promise<Response>(() => undefined);
    const authorize = ({ headers }: Request) => {
      const name = headers.get('x-name') ?? 'ann';
      return name === 'ann' ? { name } : { name, limits: { uploads: 2, streams: 0, bodyBytes: 3 } };
    };
    const { call, clock } = make({ authorize, limits: { uploads: 1 } }, [
      route('POST', '/up', { body: 'upload', handle: () => never }),
      route('GET', '/stream', { stream: true }),
    ]);
    const status = async (path: string, name: string, init: RequestInit = {}) => {
      let seen: unknown = 'waits';
      void call(path, { ...init, headers: { 'x-name': name } }).then((answer) => (seen = answer.status));
      await clock.advance(0);
      return seen;
    };
    const up = { method: 'POST' };
    expect([await status('/up', 'ann', up), await status('/up', 'ann', up)]).toEqual(['waits', 429]);
    expect([await status('/up', 'bob', up), await status('/up', 'bob', up)]).toEqual(['waits', 'waits']);
    expect(await status('/up', 'bob', up)).toBe(429);
    expect([await status('/stream', 'ann'), await status('/stream', 'bob')]).toEqual([200, 501]);
    expect(await status('/api/v2/jobs', 'bob', { method: 'POST', body: '1234' })).toBe(413);
    const none = await call('/stream', { headers: { 'x-name': 'bob' } });
    expect(await none.json()).toMatchObject({ code: 'not_implemented' });
  });
});

describe('a stream that is open', () => {
  const opened = async (how: { readonly ticket?: boolean } = {}) => {
    let answer: () => ReturnType<HandlerOptions['authorize']> = () => ({ name: 'ann' });
    let asked = 0;
    const signals: (AbortSignal | undefined)[] = [];
    const ends: (() => void)[] = [];
    const stream = route('GET', '/stream', {
      stream: true,
      access: 'ticket',
      handle: ({ revoked, ended }) => {
        signals.push(revoked);
        ends.push(ended);
        return Promise.resolve(new Response(new ReadableStream()));
      },
    });
    const errors: unknown[] = [];
    const authorize = () => {
      asked += 1;
      return answer();
    };
    const { call, clock, tokens } = make({ authorize, onError: (error) => errors.push(error) }, [stream]);
    const { ticket } = await tokens.issue({ caller: { name: 'ann' } });
    await call(how.ticket === true ? `/stream?ticket=${ticket}` : '/stream');
    return {
      clock,
      end: () => ends[0]!(),
      errors,
      asked: () => asked,
      isRevoked: () => signals[0]?.aborted,
      answers: (next: typeof answer) => void (answer = next),
    };
  };

  it.each([
    ['no one', () => undefined],
    ['another caller', () => ({ name: 'bob' })],
    ['an answer of its own', () => new Response(null, { status: 402 })],
  ])('is revoked within 30 seconds once authorize names %s', async (_, answer) => {
    const stream = await opened();
    await stream.clock.advance(30_000);
    stream.answers(answer);
    await stream.clock.advance(29_999);
    expect(stream.isRevoked()).toBe(false);
    await stream.clock.advance(1);
    expect(stream.isRevoked()).toBe(true);
    await stream.clock.advance(60_000);
    expect(stream.asked()).toBe(3);
  });

  it('goes on where authorize fails, and is asked about no more once it has ended', async () => {
    const stream = await opened();
    stream.answers(() => Promise.reject(new Error('the users are not at hand')));
    await stream.clock.advance(60_000);
    expect([stream.isRevoked(), stream.errors.length, stream.asked()]).toEqual([false, 2, 3]);
    stream.end();
    await stream.clock.advance(60_000);
    expect(stream.asked()).toBe(3);
  });

  it('is asked about no more where it ends while the question is under way', async () => {
    const stream = await opened();
    let answer = (): void => undefined;
    stream.answers(() => new Promise((resolve) => (answer = () => resolve(undefined))));
    await stream.clock.advance(30_000);
    stream.end();
    answer();
    await stream.clock.advance(60_000);
    expect([stream.asked(), stream.isRevoked()]).toEqual([2, false]);
    expect(stream.clock.pending()).toBe(0);
  });

  it('by a ticket is not asked about', async () => {
    const stream = await opened({ ticket: true });
    await stream.clock.advance(60_000);
    expect([stream.asked(), stream.isRevoked()]).toEqual([0, undefined]);
  });
});

describe('a watch token', () => {
  it('lets its holder see its job or, without one, all jobs of its caller', async () => {
    const { call, tokens } = make();
    const ofJob = await tokens.issue({ caller: { name: 'ann' }, jobId: 'j1' });
    const ofAll = await tokens.issue({ caller: { name: 'ann' } });
    const status = async (path: string, ticket: string): Promise<number> =>
      (await call(`${path}?ticket=${ticket}`, { token: '' })).status;
    expect(await status('/jobs/j1/events', ofJob.ticket)).toBe(200);
    expect(await status('/jobs/j2/events', ofJob.ticket)).toBe(401);
    expect(await status('/events', ofJob.ticket)).toBe(401);
    expect(await status('/events', ofAll.ticket)).toBe(200);
    expect(await status('/jobs/j1/events', ofAll.ticket)).toBe(200);
    expect(await status('/api/v2/jobs/j1', ofAll.ticket)).toBe(401);
  });

  it('ends after five minutes at most', async () => {
    const { call, tokens, clock } = make();
    const { ticket, expiresAt } = await tokens.issue({ caller: { name: 'ann' } }, 3_600_000);
    expect(expiresAt).toBe(clock.wall() + 300_000);
    await clock.advance(299_999);
    expect((await call(`/events?ticket=${ticket}`, { token: '' })).status).toBe(200);
    await clock.advance(1);
    expect((await call(`/events?ticket=${ticket}`, { token: '' })).status).toBe(401);
  });

  it('in the address of a preview opens previews only, and is the same for all streams of a caller', async () => {
    const { call, clock } = make();
    const ticket = await (await call('/ticket')).text();
    expect(await (await call('/ticket')).text()).toBe(ticket);
    expect(await (await call('/ticket', { token: 'token-of-bob' })).text()).not.toBe(ticket);
    const status = async (path: string): Promise<number> =>
      (await call(`${path}?ticket=${ticket}`, { token: '' })).status;
    expect(await status('/jobs/j1/preview')).toBe(200);
    expect(await status('/jobs/j1/events')).toBe(401);
    expect(await status('/events')).toBe(401);
    await clock.advance(150_000);
    expect(await (await call('/ticket')).text()).not.toBe(ticket);
    expect(await status('/jobs/j1/preview')).toBe(200);
    await clock.advance(150_000);
    expect(await status('/jobs/j1/preview')).toBe(401);
  });

  it('in the address of a preview of one job opens no preview of another one', async () => {
    const { call } = make();
    const ticket = await (await call('/jobs/j1/ticket')).text();
    const status = async (job: string): Promise<number> =>
      (await call(`/jobs/${job}/preview?ticket=${ticket}`, { token: '' })).status;
    expect([await status('j1'), await status('j2')]).toEqual([200, 401]);
  });

  it('that is forged in any character is refused', async () => {
    const { tokens } = make();
    const { ticket } = await tokens.issue({ caller: { name: 'ann' } });
    for (let at = 0; at < ticket.length; at += 1) {
      const other = ticket[at] === 'A' ? 'B' : 'A';
      expect(await tokens.read(ticket.slice(0, at) + other + ticket.slice(at + 1))).toBeUndefined();
    }
    for (const text of ['', '.', 'a.b.c', `${ticket}.`, `${ticket}=`])
      expect(await tokens.read(text)).toBeUndefined();
    expect(await make().tokens.read(ticket)).toBeUndefined();
  });
});

describe('pages', () => {
  const allowOrigins = ['https://app.example'];
  const from = (origin: string, more: Readonly<Record<string, string>> = {}) => ({
    headers: { origin, ...more },
  });

  it('of a listed origin get the answer and their preflight, others neither', async () => {
    const { call } = make({ allowOrigins });
    const listed = await call('/api/v2/jobs/x', from('https://app.example'));
    expect(listed.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(listed.headers.get('vary')).toBe('Origin');
    const other = await call('/api/v2/jobs/x', from('https://evil.example'));
    expect(other.headers.has('access-control-allow-origin')).toBe(false);

    const asked = { method: 'OPTIONS', token: '' };
    const preflight = (origin: string) =>
      call('/api/v2/jobs', { ...asked, ...from(origin, { 'access-control-request-method': 'POST' }) });
    const answer = await preflight('https://app.example');
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'https://app.example',
    ]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
      'access-control-allow-headers': '',
      'access-control-max-age': '600',
      vary: 'Access-Control-Request-Headers, Origin',
    });
    expect(listed.headers.get('access-control-expose-headers')).toContain('idempotency-replayed');
    const refused = await preflight('https://evil.example');
    expect([refused.status, refused.headers.has('access-control-allow-origin')]).toEqual([405, false]);
    // Neither is a preflight, so each is a request like any other.
    const method = { 'access-control-request-method': 'POST' };
    expect((await call('/api/v2/jobs', { ...asked, headers: method })).status).toBe(405);
    expect((await call('/api/v2/jobs', { ...asked, ...from('https://app.example') })).status).toBe(405);
    expect((await call('/api/v2/jobs/x', from('https://app.example', method))).status).toBe(200);
  });

  it('of a listed origin may reach a private network where their browser asks for it', async () => {
    const { call } = make({ allowOrigins });
    const asked = async (more: Readonly<Record<string, string>>) => {
      const headers = { 'access-control-request-method': 'POST', ...more };
      const init = { method: 'OPTIONS', token: '', ...from('https://app.example', headers) };
      return (await call('/api/v2/jobs', init)).headers.get('access-control-allow-private-network');
    };
    expect(await asked({ 'access-control-request-private-network': 'true' })).toBe('true');
    expect(await asked({ 'access-control-request-private-network': 'false' })).toBeNull();
    expect(await asked({})).toBeNull();
  });

  it('of a listed origin may send any header, and cookies where the gateway takes them', async () => {
    const asked = {
      method: 'OPTIONS',
      token: '',
      ...from('https://app.example', {
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, traceparent',
      }),
    };
    const headersOf = async (options: Partial<HandlerOptions>) =>
      (await make({ allowOrigins, ...options }).call('/api/v2/jobs', asked)).headers;
    const without = await headersOf({});
    expect(without.get('access-control-allow-headers')).toBe('authorization, traceparent');
    expect(without.has('access-control-allow-credentials')).toBe(false);
    const withThem = await headersOf({ allowCredentials: true });
    expect(withThem.get('access-control-allow-credentials')).toBe('true');
  });

  it('of no origin get anything where none is listed', async () => {
    const answer = await make().call('/api/v2/jobs/x', from('https://app.example'));
    expect([answer.headers.has('access-control-allow-origin'), answer.headers.has('vary')]).toEqual([
      false,
      false,
    ]);
  });

  it.each([
    ['a foreign name', { host: 'evil.example:8080' }, 403],
    ['a name that begins like loopback', { host: '127.0.0.1.evil.example' }, 403],
    ['no name', { host: 'a b' }, 403],
    ['localhost', { host: 'localhost:8080' }, 200],
    ['IPv6', { host: '[::1]:8080' }, 200],
    ['a foreign origin', { origin: 'https://evil.example' }, 403],
    ['an opaque origin', { origin: 'null' }, 403],
    ['a listed origin', { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }, 200],
    ['a picture on a foreign page', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a picture on a page of a sibling name', { 'sec-fetch-site': 'same-site' }, 403],
    ['a page of its own', { 'sec-fetch-site': 'same-origin' }, 200],
    ['an address that was typed in', { 'sec-fetch-site': 'none' }, 200],
    ['any address of loopback', { host: '127.1.2.3' }, 200],
    ['a name that ends like loopback', { host: 'x127.0.0.1' }, 403],
  ] as const)('reach a loopback gateway by %s: %j, %i', async (_, headers, status) => {
    const { call } = make({ loopbackOnly: true, allowOrigins });
    const answer = await call('/api/v2/jobs/x', { headers });
    expect(answer.status).toBe(status);
    const { error } = (await answer.json()) as { readonly error?: { readonly code: string } };
    if (status === 403) expect(error?.code).toBe('host' in headers ? 'forbidden_host' : 'forbidden_origin');
    // A gateway with tokens leaves all of this to them.
    expect((await make().call('/api/v2/jobs/x', { headers })).status).toBe(200);
  });

  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/jsonp', 415],
    ['x/application/json', 415],
    ['', 415],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON', 200],
  ])('send a loopback gateway %s: %i', async (type, status) => {
    const { call } = make({ loopbackOnly: true });
    const answer = await call('/api/v2/jobs', post('{}', { 'content-type': type }));
    expect(answer.status).toBe(status);
    const { error } = (await answer.json()) as { readonly error?: { readonly code: string } };
    expect(error?.code).toBe(status === 415 ? 'unsupported_media_type' : undefined);
  });

  it('send a loopback gateway requests without a body, and uploads of any type', async () => {
    const routes = [
      route('POST', '/cancel', { handle: () => Promise.resolve(new Response(null)) }),
      route('POST', '/up', {
        body: 'upload',
        handle: async ({ body: bytes }) => new Response(await new Response(bytes as never).text()),
      }),
    ];
    const { call } = make({ loopbackOnly: true }, routes);
    expect((await call('/cancel', { method: 'POST' })).status).toBe(200);
    // A body that is declared to be empty is none, whatever its type.
    const empty = { 'content-length': '0', 'content-type': 'text/plain' };
    expect((await call('/cancel', { ...post(new ReadableStream()), headers: empty })).status).toBe(200);
    const up = await call('/up', { method: 'POST', body: 'abc', headers: { 'content-type': 'image/png' } });
    expect([up.status, await up.text()]).toEqual([200, 'abc']);
  });
});

describe('bearerTokens', () => {
  it('names the caller of a token and keeps tokens apart', async () => {
    const authorize = bearerTokens({ ann: 'aaa', bob: 'aaab' });
    const nameOf = async (authorization: string) =>
      authorize(new Request('http://h/', { headers: { authorization } }));
    expect(await nameOf('Bearer aaa')).toEqual({ name: 'ann' });
    expect(await nameOf('bearer aaab')).toEqual({ name: 'bob' });
    expect(await nameOf('Bearer  aaa  ')).toEqual({ name: 'ann' });
    for (const wrong of [
      'Bearer aa',
      'Bearer aaabb',
      'Bearer',
      'Basic aaa',
      'aaa',
      'Bearer a a',
      'x Bearer aaa',
    ]) {
      expect(await nameOf(wrong)).toBeUndefined();
    }
    expect(await authorize(new Request('http://h/'))).toBeUndefined();
    expect(await bearerTokens({})(new Request('http://h/', { headers: { authorization: 'Bearer a' } }))).toBe(
      undefined,
    );
  });

  it.each<Readonly<Record<string, string>>>([{ ann: '' }, { ann: 'two words' }, { '': 'aaa' }])(
    'refuses %j without the token',
    (tokens) => {
      expect(() => bearerTokens(tokens)).toThrow(
        expect.objectContaining({ _tag: 'InvalidConfig', option: 'tokens' }) as Error,
      );
      expect(() => bearerTokens(tokens)).not.toThrow(/two words/u);
    },
  );
});

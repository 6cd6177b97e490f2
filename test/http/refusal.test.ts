import * as E from 'fp-ts/lib/Either.js';
import type { HttpConnection } from '../../src/core/http/connection.js';
import { CallScope } from '../../src/core/http/call-scope.js';
import { type Dialect, dialects } from '../../src/client/dialects/dialects.js';
import { createRest } from '../../src/core/http/rest.js';
import { describe, expect, it } from 'vitest';
import { fakePlatform } from '../helpers/fake-platform.js';
import { get, submit } from '../helpers/play-call.js';
import { httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';
import { readServiceUrls } from '../../src/core/http/service-urls.js';
import { readRefusal, refusal } from '../../src/core/http/refusal.js';
import type { Rest } from '../../src/core/http/rest.js';
import type { ServiceError } from '../../src/core/errors/errors.js';

const context = {
  endpoint: 'GET /api/queue',
  promptId: 'a',
  timeoutMs: 1,
  redact: (text: string) => text.replaceAll('hush', '…'),
};
const typed = JSON.stringify({ error: { type: 'STORAGE_DOWN', message: 'hush' } });
const later = { 'retry-after': '3' };

describe('refusal', () => {
  it.each([
    ['a 404', get, 404, {}, '', 'refused'],
    ['a 429', submit, 429, later, '', 'refused'],
    ['a request that came too slowly', submit, 408, {}, '', 'unclear'],
    ['a failing service', get, 500, later, typed, 'unclear'],
    ['a 503 without a hint', get, 503, {}, typed, 'unclear'],
    ['a 503 with a hint, of a read', get, 503, later, '', 'refused'],
    ['a 503 with a hint alone, of a submission', submit, 503, later, '', 'unclear'],
    ['a 503 with a hint and a word, of a submission', submit, 503, later, typed, 'refused'],
  ])('says of %s where it leaves the service', (_, endpoint, status, headers, body, delivery) => {
    const connection = httpConnection(fakePlatform());
    expect(refusal(connection, endpoint, { status, headers }, body, context).delivery).toBe(delivery);
  });

  it.each([
    ['local', 'RateLimited'],
    ['cloud', 'SubscriptionInactive'],
  ] as const)('N3 takes a 429 that says nothing, of %s, for %s', (name, tag) => {
    const connection = { ...httpConnection(fakePlatform()), dialect: dialects[name].http };
    expect(refusal(connection, submit, { status: 429, headers: {} }, '', context).error._tag).toBe(tag);
  });

  it('gives the error its endpoint, its job, the time of the platform, and no secret', async () => {
    const platform = fakePlatform();
    await platform.clock.advance(1000);
    const date = new Date(platform.clock.wall() + 5000).toUTCString();
    const headers = { 'retry-after': date };
    const { error } = refusal(httpConnection(platform), get, { status: 503, headers }, typed, context);
    expect(error).toMatchObject({
      endpoint: 'GET /api/queue',
      promptId: 'a',
      retryAfterMs: Date.parse(date) - platform.clock.wall(),
      message: 'The service failed (503): …',
    });
  });
});

describe('readRefusal', () => {
  const read = (body: AsyncIterable<Uint8Array>, type: string | undefined, discard: () => void) => {
    const platform = fakePlatform();
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const response = { status: 400, headers, body, discard };
    const scope = new CallScope({ clock: platform.clock, timeoutMs: 60_000 });
    return readRefusal(httpConnection(platform), get, response, scope, context).finally(() =>
      scope.release(),
    );
  };

  it.each([
    [undefined, 5],
    ['text/html', 5],
    ['application/jsonp', 5],
    ['application/json; charset=utf-8', 257],
    ['application/problem+json', 257],
  ])('E11: reads 64 KiB of a page, 4 MiB of JSON, and lets go of the rest: %s', async (type, expected) => {
    let pieces = 0;
    let isDiscarded = false;
    const body = (async function* () {
      for (;;) {
        await Promise.resolve();
        pieces += 1;
        yield new Uint8Array(16 * 1024);
      }
    })();
    const { error } = await read(body, type, () => (isDiscarded = true));
    expect([error._tag, pieces, isDiscarded]).toEqual(['BadRequest', expected, true]);
  });

  it('has the errors of all nodes of a large workflow', async () => {
    const problem = {
      type: 'required_input_missing',
      message: 'm'.repeat(400),
      details: 'images',
      extra_info: {},
    };
    const one = { errors: [problem], dependent_outputs: [], class_type: 'SaveImage' };
    const nodes = Object.fromEntries(Array.from({ length: 1_000 }, (_, id) => [id, one]));
    const text = JSON.stringify({ error: { type: 'x', message: 'No.' }, node_errors: nodes });
    const body = (async function* () {
      await Promise.resolve();
      yield new TextEncoder().encode(text);
    })();
    const { error } = await read(body, 'application/json', () => undefined);
    expect(error._tag === 'BadRequest' && Object.keys(error.nodeErrors)).toHaveLength(1_000);
  });
});

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };

/** The words of a call at a server that answers each request with this status and nothing else. */
const words = async (
  status: number,
  call: (rest: Rest) => () => Promise<Parameters<typeof leftOf>[0]>,
  dialect: Dialect = 'cloud',
  baseUrl = 'http://127.0.0.1:9',
  more: Partial<HttpConnection> = {},
): Promise<string> => {
  const platform = fakePlatform(() => ({ status }));
  const urls = rightOf(readServiceUrls({ baseUrl }));
  const { message, hint }: ServiceError = leftOf(
    await call(createRest(httpConnection(platform, { urls, dialect: dialects[dialect].http, ...more })))(),
  );
  return `${message} ${hint}`;
};

describe('a refusal', () => {
  it('by a base URL that ends in /api says to leave that out', async () => {
    const said = await words(404, (rest) => rest.submit(workflow), 'cloud', 'https://service.example/x/api/');
    expect(said).toContain('baseUrl ends in /api');
    expect(
      await words(403, (rest) => rest.submit(workflow), 'cloud', 'https://service.example/x/api/'),
    ).not.toContain('baseUrl');
  });

  it('of GET /api/user says that there is no such route, and not to check an id', async () => {
    expect(await words(404, (rest) => rest.user())).toMatch(/check baseUrl.*dialect: 'local'/u);
    expect(await words(404, (rest) => rest.user(), 'local')).toContain('A local server has no accounts');
    expect(await words(404, (rest) => rest.submit(workflow))).toContain('check baseUrl');
    expect(await words(404, (rest) => rest.history('p'))).toContain('Check the id');
  });

  it('N3 with 401 of a local dialect says that no key is sent, and how credentials are', async () => {
    const said = await words(401, (rest) => rest.submit(workflow), 'local');
    expect(said).toMatch(/\(401\).*no key is sent.*headers.*dialect: 'cloud'/u);
    expect(await words(401, (rest) => rest.submit(workflow))).toContain('Check that the key is complete');
  });

  it('N3 with 402 of a local server speaks of what stands before it, and of no account', async () => {
    const said = await words(402, (rest) => rest.submit(workflow), 'local');
    expect(said).toMatch(/^The request was refused \(402\)\. A local server asks for no payment.*proxy/u);
    expect(said).not.toMatch(/account|credits|resume/u);
    expect(await words(402, (rest) => rest.submit(workflow))).toContain('credits');
    const typed = JSON.stringify({ error: { type: 'PAYMENT_REQUIRED', message: 'No credits.' } });
    const local = { ...httpConnection(fakePlatform()), dialect: dialects.local.http };
    const { error } = refusal(local, submit, { status: 402, headers: {} }, typed, context);
    expect(error).toMatchObject({
      _tag: 'InsufficientCredits',
      message: expect.stringContaining('No credits.') as string,
    });
  });

  it.each(['local', 'cloud', 'v2'] as const)(
    'N3 with 407 of %s says how a proxy is given',
    async (dialect) => {
      const said = await words(407, (rest) => rest.queue(), dialect);
      expect(said).toMatch(/\(407\).*proxy.*user:password@host:port.*HTTPS_PROXY/u);
    },
  );

  it('N3 with 403 of a local server speaks of Origin and Host where an Origin may have been sent alone', async () => {
    const own = { headers: () => E.right({ origin: 'http://page.example' }) };
    const withoutOrigin = await words(403, (rest) => rest.submit(workflow), 'local');
    expect(withoutOrigin).toBe(
      'The request was refused (403). Ask for what the server, or a proxy in front of it, wants: credentials go into headers.',
    );
    const page = await words(403, (rest) => rest.submit(workflow), 'local', undefined, {
      signedFile: undefined,
    });
    const said = await words(403, (rest) => rest.submit(workflow), 'local', undefined, own);
    expect(page).toBe(said);
    expect(said).toMatch(/Origin and Host.*proxy.*--enable-cors-header/u);
    expect(said).not.toContain('plan');
    const file = { filename: 'a.png' };
    expect(await words(403, (rest) => rest.view(file), 'local')).not.toContain('Origin');
    expect(await words(403, (rest) => rest.submit(workflow))).toContain('plan');
  });
});

import { dialects } from '../../src/client/dialects/dialects.js';
import { bodyText } from '../helpers/body-text.js';
import { canary, httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';
import { causeOf } from '../helpers/cause-of.js';
import { describe, expect, it } from 'vitest';
import { type FakeAnswer, fakePlatform } from '../helpers/fake-platform.js';
import type { HttpConnection } from '../../src/core/http/connection.js';
import type { HttpRequest } from '../../src/core/platform/platform.js';
import { httpServer, type TestServer } from '../helpers/http-server.js';
import { inspect } from 'node:util';
import { isServiceError } from '../../src/core/errors/service-error.js';
import { nodePlatform } from '../../src/core/platform/node.js';
import { view } from '../../src/core/http/view.js';

const file = { filename: 'a b.png' };

/** Answers the service's view with `answer` and every other address with `hop`. */
const setUp = (
  answer: FakeAnswer,
  hop: (request: HttpRequest) => FakeAnswer = () => ({ body: 'bytes' }),
  more: Partial<HttpConnection> & { readonly baseUrl?: string } = {},
) => {
  const platform = fakePlatform((request) => (request.url.includes('/api/view') ? answer : hop(request)));
  return { platform, connection: httpConnection(platform, { baseUrl: 'https://service.example', ...more }) };
};

const to = (location: string): FakeAnswer => ({ status: 302, headers: { location } });

describe('view', () => {
  it('G1 asks by name, with defaults, then fetches the signed address with nothing of ours', async () => {
    const { platform, connection } = setUp(to('https://storage.example/x?sig=1'), () => ({
      body: 'bytes',
      headers: { 'content-type': 'image/png; x=y', 'content-length': '5' },
    }));
    const content = rightOf(await view(connection, file)());
    expect([content.mediaType, content.size]).toEqual(['image/png', 5]);
    expect(await bodyText(content)).toBe('bytes');
    const [first, second] = platform.requests;
    expect(first?.url).toBe('https://service.example/api/view?filename=a+b.png&subfolder=&type=output');
    expect(first?.headers['x-api-key']).toBe(canary);
    expect(second?.url).toBe('https://storage.example/x?sig=1');
    expect(second?.headers).toEqual({ accept: '*/*', 'accept-encoding': 'identity' });
    expect(platform.clock.pending()).toBe(0);
  });

  it.each([200, 204, 301, 303, 307, 0, 400, 404, 410, 500])(
    'G5 takes %i for a failed download',
    async (status) => {
      const { platform, connection } = setUp({ status, headers: { location: 'https://storage.example/x' } });
      const running = view(connection, file)();
      await platform.clock.advance(100_000);
      expect(leftOf(await running)).toMatchObject({ _tag: 'DownloadFailed', filename: 'a b.png', status });
      expect(platform.requests.every(({ url }) => url.startsWith('https://service.example/'))).toBe(true);
    },
  );

  /** A service whose file, or whose storage, is not there for the first so many asks. */
  const trailing = (misses: number, where: 'service' | 'storage') => {
    let asked = 0;
    const missing: FakeAnswer = { status: 404, body: { code: 'NOT_FOUND', message: 'no such file' } };
    const platform = fakePlatform(({ url }): FakeAnswer => {
      const isView = url.includes('/api/view');
      if (isView !== (where === 'service'))
        return isView ? to('https://storage.example/x') : { body: 'bytes' };
      asked += 1;
      if (asked <= misses) return missing;
      return isView ? to('https://storage.example/x') : { body: 'bytes' };
    });
    const connection = httpConnection(platform, { baseUrl: 'https://service.example' });
    return { platform, connection, asked: () => asked };
  };

  it.each(['service', 'storage'] as const)(
    'G21: asks the %s again for some seconds where the file is not there yet',
    async (where) => {
      const { platform, connection, asked } = trailing(3, where);
      const running = view(connection, file)();
      await platform.clock.advance(2_000);
      expect(asked()).toBe(3);
      await platform.clock.advance(2_400);
      expect(await bodyText(rightOf(await running))).toBe('bytes');
      expect(asked()).toBe(4);
      expect(platform.clock.pending()).toBe(0);
    },
  );

  it.each(['service', 'storage'] as const)(
    'G22: asks the %s no longer than a few seconds for a file that is nowhere',
    async (where) => {
      const { platform, connection, asked } = trailing(Infinity, where);
      const running = view(connection, file)();
      await platform.clock.advance(4_400);
      expect([asked(), platform.clock.pending()]).toEqual([4, 0]);
      expect(leftOf(await running)).toMatchObject({ _tag: 'DownloadFailed', status: 404 });
    },
  );

  it('G22: keeps to the time that it is given, and ends its wait with the caller', async () => {
    const { platform, connection, asked } = trailing(Infinity, 'service');
    const timed = view(connection, file, { timeoutMs: 1_000 })();
    await platform.clock.advance(1_000);
    expect(leftOf(await timed)).toMatchObject({ _tag: 'DownloadFailed', status: 404 });
    expect(asked()).toBe(2);
    const controller = new AbortController();
    const aborted = view(connection, file, { signal: controller.signal })();
    await platform.clock.advance(100);
    controller.abort();
    expect(leftOf(await aborted)).toMatchObject({ _tag: 'Aborted' });
    expect(platform.clock.pending()).toBe(0);
  });

  it.each([
    [401, 'Unauthorized'],
    [402, 'InsufficientCredits'],
    [403, 'Forbidden'],
    [429, 'SubscriptionInactive'],
  ])('keeps %i what it says of the account', async (status, tag) => {
    expect(leftOf(await view(setUp({ status }).connection, file)())._tag).toBe(tag);
  });

  it('G20 explains what a page cannot see', async () => {
    expect(leftOf(await view(setUp({ status: 0 }).connection, file)()).message).toContain('browser');
  });

  it('G5 takes 200 with the bytes for a channel, a size, and from a local server', async () => {
    const answer = { body: 'bytes' };
    const part = setUp(answer);
    expect(await bodyText(rightOf(await view(part.connection, file, { channel: 'rgb' })()))).toBe('bytes');
    expect(await bodyText(rightOf(await view(part.connection, file, { res: 64 })()))).toBe('bytes');
    expect(part.platform.requests.map(({ url }) => url.split('output')[1])).toEqual([
      '&channel=rgb',
      '&res=64',
    ]);
    const local = setUp(answer, undefined, { dialect: dialects.local.http });
    expect(await bodyText(rightOf(await view(local.connection, file)()))).toBe('bytes');
    expect(local.platform.requests[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it.each([
    ['http://storage.example/x', 'https://service.example'],
    ['https://127.0.0.1/x', 'https://service.example'],
    ['https://10.0.0.1/x', 'https://service.example'],
    ['https://169.254.169.254/latest', 'https://service.example'],
    ['https://[::ffff:169.254.169.254]/', 'http://127.0.0.1:1'],
    ['https://2852039166/', 'http://127.0.0.1:1'],
    ['http://10.0.0.1/x', 'http://127.0.0.1:1'],
    ['http://127.0.0.1/x', 'https://10.0.0.1'],
    ['https://user:pass@storage.example/x', 'https://service.example'],
    ['ftp://storage.example/x', 'https://service.example'],
    ['file:///etc/passwd', 'https://service.example'],
    ['data:text/plain,x', 'https://service.example'],
    ['javascript:alert(1)', 'https://service.example'],
    ['https://', 'https://service.example'],
    ['', 'https://service.example'],
    [`https://storage.example/${'x'.repeat(20_000)}`, 'https://service.example'],
  ])('G3 G4 does not follow %.60s from %s', async (location, baseUrl) => {
    const { platform, connection } = setUp(to(location), undefined, { baseUrl });
    const error = leftOf(await view(connection, file)());
    expect(error._tag).toBe('UnsafeRedirect');
    expect(platform.requests).toHaveLength(1);
    expect(JSON.stringify(error)).not.toMatch(/pass@|\/x|etc\/passwd/u);
  });

  it.each([
    ['http://127.0.0.1:2/x', 'http://127.0.0.1:1'],
    ['http://localhost:2/x', 'http://[::1]:1'],
    ['http://192.168.0.9/x', 'https://10.0.0.1'],
    ['https://storage.example/x', 'http://127.0.0.1:1'],
    ['/signed/x', 'https://service.example'],
  ])('G3 follows %s from %s', async (location, baseUrl) => {
    const { connection } = setUp(to(location), undefined, { baseUrl });
    expect(await bodyText(rightOf(await view(connection, file)()))).toBe('bytes');
  });

  it('G2 follows three hops at most, each by the same rules', async () => {
    const chain =
      (length: number) =>
      (request: HttpRequest): FakeAnswer => {
        const n = Number(new URL(request.url).pathname.slice(1));
        expect(request.headers).not.toHaveProperty('x-api-key');
        return n === length ? { body: 'bytes' } : to(`/${n + 1}`);
      };
    const three = setUp(to('https://storage.example/1'), chain(3));
    expect(await bodyText(rightOf(await view(three.connection, file)()))).toBe('bytes');
    const four = setUp(to('https://storage.example/1'), chain(4));
    expect(leftOf(await view(four.connection, file)())).toMatchObject({ _tag: 'UnsafeRedirect' });
    expect(four.platform.requests).toHaveLength(4);
    const turning = setUp(to('https://storage.example/1'), () => to('https://127.0.0.1/'));
    expect(leftOf(await view(turning.connection, file)())).toMatchObject({
      _tag: 'UnsafeRedirect',
      host: '127.0.0.1',
    });
  });

  it.each([400, 403, 404, 500])(
    'G6 takes %i of the storage for a failed download that may be asked for again',
    async (status) => {
      const { platform, connection } = setUp(to('https://storage.example/x?X-Goog-Signature=s'), () => ({
        status,
        body: '<xml>',
      }));
      const running = view(connection, file)();
      await platform.clock.advance(5_000);
      const error = leftOf(await running);
      expect(error).toMatchObject({ _tag: 'DownloadFailed', retry: 'after', status });
      expect(JSON.stringify(error)).not.toContain('Signature');
    },
  );

  it('G13 refuses an encoded body', async () => {
    const { connection } = setUp(to('https://storage.example/x'), () => ({
      headers: { 'content-encoding': 'gzip' },
    }));
    expect(leftOf(await view(connection, file)())._tag).toBe('DownloadFailed');
  });

  it.each([
    ['3', 'more than the 3 bytes came'],
    ['9', '5 of 9 bytes came'],
  ])('G8 throws where %s bytes were announced and five came', async (length, reason) => {
    const { connection } = setUp(to('https://storage.example/x'), () => ({
      body: 'bytes',
      headers: { 'content-length': length },
    }));
    const cause = await causeOf(bodyText(rightOf(await view(connection, file)())));
    expect(isServiceError(cause) && cause).toMatchObject({
      _tag: 'DownloadFailed',
      reason,
    });
  });
});

describe('view over real connections', () => {
  const platform = nodePlatform();
  const open = (server: TestServer) => httpConnection(platform, { baseUrl: server.origin });

  it('G1 H8 H9 lets the key reach the service alone', async () => {
    await using storage = await httpServer((_, response) => response.end('bytes'));
    await using service = await httpServer((_, response) => {
      response.writeHead(302, { location: `${storage.origin}/signed?x=1`, 'set-cookie': 'a=b' }).end('moved');
    });
    expect(await bodyText(rightOf(await view(open(service), file)()))).toBe('bytes');
    expect(service.seen[0]?.headers['x-api-key']).toBe(canary);
    const [seen] = storage.seen;
    expect(inspect(seen, { depth: 10 })).not.toContain('canary');
    expect(Object.keys(seen?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
    ]);
  });

  it('throws where the connection is cut', async () => {
    await using storage = await httpServer((_, response, request) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('some', () => request.socket.destroy());
    });
    await using service = await httpServer((_, response) => {
      response.writeHead(302, { location: storage.origin }).end();
    });
    const cause = await causeOf(bodyText(rightOf(await view(open(service), file)())));
    expect(isServiceError(cause) && cause._tag).toBe('DownloadFailed');
  });

  it('stops a body by the signal', async () => {
    await using storage = await httpServer((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('some');
    });
    await using service = await httpServer((_, response) => {
      response.writeHead(302, { location: storage.origin }).end();
    });
    const controller = new AbortController();
    const content = rightOf(await view(open(service), file, { signal: controller.signal })());
    const chunks = content.body[Symbol.asyncIterator]();
    expect(Buffer.from((await chunks.next()).value as Uint8Array).toString()).toBe('some');
    controller.abort();
    const cause = await causeOf(chunks.next());
    expect(isServiceError(cause) && cause._tag).toBe('Aborted');
  });

  it('M7 takes no part of another file from a local server: the whole is asked for next', async () => {
    const part = { status: 206, body: 'tes', headers: { 'content-range': 'bytes 2-4/5', etag: '"v2"' } };
    const { connection } = setUp(part, undefined, { dialect: dialects.local.http });
    const failed = leftOf(await view(connection, file, { resume: { offset: 2, etag: '"v1"' } })());
    expect(failed).toMatchObject({ _tag: 'DownloadFailed', status: 206 });
  });

  it.each([412, 416])(
    'M7 asks for the whole file next where a server answers %i to a part',
    async (status) => {
      const options = { dialect: dialects.local.http };
      const { connection } = setUp({ status }, undefined, options);
      const failed = leftOf(await view(connection, file, { resume: { offset: 2, etag: '"v1"' } })());
      expect(failed).toMatchObject({ _tag: 'DownloadFailed', status, retry: 'after' });
      const whole = setUp({ status }, undefined, options);
      expect(leftOf(await view(whole.connection, file)())).toMatchObject({ status, retry: 'never' });
    },
  );

  it('M7 asks a local server for the rest of a file, and takes the whole one where it changed', async () => {
    const resume = { offset: 2, etag: '"v1"' };
    const dialect = dialects.local.http;
    const part: FakeAnswer = {
      status: 206,
      body: 'tes',
      headers: { 'content-range': 'bytes 2-4/5', etag: '"v1"' },
    };
    const { platform, connection } = setUp(part, undefined, { dialect });
    const content = rightOf(await view(connection, file, { resume })());
    expect([content.offset, content.size, await bodyText(content)]).toEqual([2, 5, 'tes']);
    expect(platform.requests[0]?.headers).toMatchObject({ range: 'bytes=2-', 'if-range': '"v1"' });

    const changed = setUp({ body: 'other', headers: { etag: '"v2"' } }, undefined, { dialect });
    const whole = rightOf(await view(changed.connection, file, { resume })());
    expect([whole.offset, await bodyText(whole)]).toEqual([0, 'other']);

    for (const options of [
      {},
      { resume: { offset: 2, etag: 'W/"v1"' } },
      { resume, channel: 'rgb' },
    ] as const) {
      const plain = setUp({ body: 'bytes' }, undefined, { dialect });
      rightOf(await view(plain.connection, file, options)()).discard();
      expect(plain.platform.requests[0]?.headers).not.toHaveProperty('range');
    }
  });
});

describe('a file that may lie in another folder', () => {
  const asked = async (there: string | undefined, status = 404) => {
    const platform = fakePlatform(({ url }) =>
      there !== undefined && url.includes(`type=${there}`) ? { body: 'bytes' } : { status, body: {} },
    );
    const connection = httpConnection(platform, { dialect: dialects.local.http });
    const running = view(connection, { filename: 'a.png', type: 'output', otherType: 'temp' })();
    await platform.clock.advance(100_000);
    const result = await running;
    const types = platform.requests.map(({ url }) => new URL(url).searchParams.get('type'));
    return { found: result._tag === 'Right' ? await bodyText(result.right) : result.left.status, types };
  };

  it('is looked for in both, first where it should be, and only then waited for', async () => {
    expect(await asked('output')).toEqual({ found: 'bytes', types: ['output'] });
    expect(await asked('temp')).toEqual({ found: 'bytes', types: ['output', 'temp'] });
    const missing = await asked(undefined);
    expect([missing.found, missing.types.slice(0, 3)]).toEqual([404, ['output', 'temp', 'output']]);
    expect(missing.types.slice(2).every((type) => type === 'output')).toBe(true);
  });

  it('is looked for in no other where the service refuses the caller', async () => {
    expect(await asked(undefined, 403)).toEqual({ found: 403, types: ['output'] });
  });
});

it('a file that stays silent is given up after 30 seconds, or after what the caller says', async () => {
  const silentFor = async (timeoutMs?: number) => {
    const fake = fakePlatform();
    const body = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) };
    const platform = {
      ...fake,
      request: () => Promise.resolve({ status: 200, headers: {}, body, discard: () => undefined }),
    };
    const connection = httpConnection(platform, { dialect: dialects.local.http });
    const content = rightOf(await view(connection, file, { timeoutMs })());
    let error = '';
    content.bytes().catch((cause: unknown) => (error = String(cause)));
    const withinMs = (timeoutMs ?? 30_000) - 1;
    await fake.clock.advance(withinMs);
    const before = error;
    await fake.clock.advance(1);
    return [before, error.includes(`nothing came for ${withinMs + 1} ms`)];
  };
  expect([await silentFor(), await silentFor(5_000)]).toEqual([
    ['', true],
    ['', true],
  ]);
});

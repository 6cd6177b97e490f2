import { CallScope } from '../../src/core/http/call-scope.js';
import { describe, expect, it } from 'vitest';
import { fakePlatform } from '../helpers/fake-platform.js';
import { followSigned, type HopOptions, signedFile } from '../../src/core/http/signed-file.js';
import type { HttpRequest, HttpResponse } from '../../src/core/platform/platform.js';
import { leftOf, rightOf } from '../helpers/http-connection.js';

type Answer =
  | { readonly status: number; readonly location?: string; readonly type?: string; readonly body?: string }
  | { readonly fails: string };

const bytes = async function* (text = '\u0001'): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(text));
};

/** Follows an address; each request takes the next of the answers. */
const followed = async (
  location: string | undefined,
  answers: readonly Answer[] = [{ status: 200 }],
  more: Partial<HopOptions> = {},
) => {
  const requests: HttpRequest[] = [];
  const discarded: number[] = [];
  const clock = fakePlatform().clock;
  const request = (asked: HttpRequest): Promise<HttpResponse> => {
    const nth = requests.push(asked) - 1;
    const answer = answers[nth]!;
    if ('fails' in answer)
      return Promise.reject(Object.assign(new Error('m'), { code: answer.fails, sent: true }));
    const { status, location: next, type, body } = answer;
    const headers = {
      ...(next !== undefined && { location: next }),
      ...(type !== undefined && { 'content-type': type }),
    };
    return Promise.resolve({ status, headers, body: bytes(body), discard: () => void discarded.push(nth) });
  };
  const result = await followSigned(location, {
    platform: { ...fakePlatform(), clock, request },
    home: 'https://service.example',
    from: 'https://service.example/api/view',
    filename: 'a.png',
    scope: new CallScope({ clock, timeoutMs: 1000 }),
    context: {
      endpoint: 'GET /api/view',
      timeoutMs: 1000,
      redact: (text) => text.replaceAll('hush', '…'),
    },
    ...more,
  });
  return { result, requests, discarded, urls: () => requests.map(({ url }) => url) };
};

const refusalOf = async (...given: Parameters<typeof followed>) => {
  const { result, requests, discarded } = await followed(...given);
  const { _tag, message, ...error } = leftOf(result);
  return { _tag, message, host: 'host' in error ? error.host : undefined, asked: requests.length, discarded };
};

const storage = 'https://storage.example/x';

describe('followSigned', () => {
  it('G1: asks by a request that carries nothing of ours', async () => {
    const { result, requests, discarded } = await followed(storage);
    expect(rightOf(result).status).toBe(200);
    const [{ signal, ...request }] = requests as [HttpRequest];
    expect(request).toEqual({
      method: 'GET',
      url: storage,
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
      addressClass: 'public',
      streamed: true,
    });
    expect(signal?.aborted).toBe(false);
    expect(discarded).toEqual([]);
  });

  const denied =
    '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message>' +
    '<StringToSign>hush-hush</StringToSign><AWSAccessKeyId>AKIA</AWSAccessKeyId></Error>';

  it.each<readonly [Extract<Answer, { status: number }>, string]>([
    [{ status: 403, body: denied }, '403, an XML document: AccessDenied, Request has expired'],
    [{ status: 404, body: '<html><title>Gone</title>' }, '404, an HTML page, "Gone"'],
    [
      { status: 503, type: 'text/plain; charset=x', body: 'Slow down, hush.' },
      '503, text/plain: Slow down, …',
    ],
    [
      { status: 400, body: 'No: https://u:p@s.example/a?X-Sig=abc&b=c of 7' },
      '400: No: https://s.example/a of 7',
    ],
    [{ status: 500, body: '' }, '500'],
    [{ status: 204 }, '204'],
    [{ status: 304, location: '/elsewhere?Signature=x' }, '304, to /elsewhere'],
  ])('N3 says what a storage answered, and nothing that signs: %j', async (answer, seen) => {
    const error = leftOf((await followed(storage, [answer])).result);
    expect(error).toMatchObject({ _tag: 'DownloadFailed', status: answer.status });
    expect(error.message).toBe(`The file a.png could not be fetched: the storage answered ${seen}.`);
    expect(error.hint.includes('signs')).toBe(answer.status === 403);
  });

  it('G7: asks for the rest alone, and takes a part only then', async () => {
    const resume = { offset: 5, etag: '"a"' };
    const { result, requests } = await followed(storage, [{ status: 206 }], { resume });
    expect(rightOf(result).status).toBe(206);
    expect(requests[0]?.headers).toMatchObject({ range: 'bytes=5-', 'if-range': '"a"' });
    expect(await refusalOf(storage, [{ status: 206 }])).toMatchObject({
      _tag: 'DownloadFailed',
      message: 'The file a.png could not be fetched: the storage answered 206.',
      discarded: [0],
    });
  });

  it.each([301, 302, 303, 307, 308])('G2: goes on after %d, and gives its connection up', async (status) => {
    const { result, urls, discarded } = await followed(storage, [
      { status, location: '/y' },
      { status: 200 },
    ]);
    expect(rightOf(result).status).toBe(200);
    expect([urls(), discarded]).toEqual([[storage, 'https://storage.example/y'], [0]]);
  });

  it.each([300, 304, 305, 404, 500])('takes %d for no file', async (status) => {
    const { result } = await followed(storage, [{ status, location: '/y' }]);
    expect(leftOf(result)).toMatchObject({ _tag: 'DownloadFailed', status });
  });

  it('G2: asks three times at most, and names the last host', async () => {
    const answers = ['one', 'two', 'three', 'four'].map((host) => ({
      status: 302,
      location: `https://${host}.example/`,
    }));
    expect(await refusalOf(storage, answers)).toEqual({
      _tag: 'UnsafeRedirect',
      message: 'The download was sent to two.example that is not followed: more than 3 redirects.',
      host: 'two.example',
      asked: 3,
      discarded: [0, 1, 2],
    });
  });

  it('G4: is relative to where it came from', async () => {
    const { urls } = await followed('/x', [{ status: 200 }], {
      home: 'http://10.0.0.1',
      from: 'http://10.0.0.1/a/',
    });
    expect(urls()).toEqual(['http://10.0.0.1/x']);
  });

  it('G4: follows an address of 16 KiB, and no longer one', async () => {
    const long = storage.padEnd(16 * 1024, 'x');
    expect((await followed(long)).urls()).toEqual([long]);
    expect(await refusalOf(`${long}x`)).toMatchObject({
      message: 'The download was sent somewhere that is not followed: its address is too long.',
      host: '',
      asked: 0,
    });
  });

  it.each([
    [undefined, 'somewhere', 'the redirect names no address'],
    ['', 'somewhere', 'the redirect names no address'],
    [' ', 'somewhere', 'the redirect names no address'],
    ['https://', 'somewhere', 'its address is not readable'],
    ['https://hush@storage.example/', 'to storage.example', 'its address holds credentials'],
    ['https://:hush@storage.example/', 'to storage.example', 'its address holds credentials'],
    ['ftp://storage.example/', 'somewhere', 'its scheme is ftp:'],
    ['https://169.254.169.254/', 'to 169.254.169.254', 'its address is forbidden'],
    ['https://10.0.0.1/', 'to 10.0.0.1', 'its address is private'],
    ['https://127.0.0.1:8/', 'to 127.0.0.1:8', 'its address is loopback'],
    ['http://hush.example/', 'to ….example', 'it is not encrypted'],
  ])('G3: refuses %j', async (location, where, reason) => {
    const { result, requests } = await followed(location);
    expect(leftOf(result)).toMatchObject({
      _tag: 'UnsafeRedirect',
      endpoint: 'GET /api/view',
      reason,
      message: `The download was sent ${where} that is not followed: ${reason}.`,
    });
    expect(requests).toEqual([]);
  });

  it.each([
    ['http://10.0.0.1', 'http://10.0.0.2/x', 'private'],
    ['http://10.0.0.1', 'https://10.0.0.2/x', 'private'],
    ['http://localhost', 'http://127.0.0.1/x', 'loopback'],
    ['http://10.0.0.1', 'https://storage.example/x', 'public'],
  ])('G3: lets a service at %s send to %s, which is %s', async (home, location, addressClass) => {
    const { result, requests } = await followed(location, [{ status: 200 }], { home });
    expect(rightOf(result).status).toBe(200);
    expect(requests[0]?.addressClass).toBe(addressClass);
  });

  it.each([
    ['http://169.254.169.254', 'http://169.254.169.254/x', 'its address is forbidden'],
    ['http://service.example', 'http://storage.example/x', 'it is not encrypted'],
    ['http://10.0.0.1', 'http://127.0.0.1/x', 'its address is loopback'],
  ])('G3: lets no service at %s send to %s', async (home, location, reason) => {
    expect(leftOf((await followed(location, [], { home })).result)).toMatchObject({ reason });
  });

  it('shows no more of a scheme than of a host', async () => {
    const { result } = await followed(`${'a'.repeat(300)}:x`);
    expect(leftOf(result)).toMatchObject({ reason: `its scheme is ${'a'.repeat(245)}…` });
  });

  it.each([
    ['EADDRCLASS', 'UnsafeRedirect', 'its name leads to an address of another class'],
    ['ECONNRESET', 'DownloadFailed', 'the storage could not be reached (ECONNRESET)'],
  ])('G3: takes a failure by %s for %s', async (code, _tag, reason) => {
    const { result } = await followed(storage, [{ fails: code }]);
    expect(leftOf(result)).toMatchObject({
      _tag,
      reason,
      ...(code === 'EADDRCLASS' && { host: 'storage.example' }),
    });
  });

  it('ends with the call, and gives up an answer that comes later', async () => {
    const { clock } = fakePlatform();
    const scope = new CallScope({ clock, timeoutMs: 100_000, patienceMs: 1000 });
    let give: (response: HttpResponse) => void = () => undefined;
    let discarded = 0;
    const request = (): Promise<HttpResponse> => new Promise((resolve) => (give = resolve));
    const following = followed(storage, [], { platform: { ...fakePlatform(), clock, request }, scope });
    await clock.advance(1000);
    expect(leftOf((await following).result)).toMatchObject({ _tag: 'Timeout', timeoutMs: 1000, sent: true });
    give({ status: 200, headers: {}, body: bytes(), discard: () => void (discarded += 1) });
    await clock.advance(0);
    expect(discarded).toBe(1);
  });
});

describe('signedFile', () => {
  /** Fetches a file whose storage answers with this status and these headers. */
  const fetched = async (
    resume: { readonly offset: number; readonly etag: string } | undefined,
    answer: Pick<HttpResponse, 'status' | 'headers'>,
  ) => {
    const { clock } = fakePlatform();
    const caller = new AbortController();
    const scope = new CallScope({ clock, timeoutMs: 1000, signal: caller.signal });
    const asked: HttpRequest[] = [];
    let discarded = 0;
    const request = (one: HttpRequest): Promise<HttpResponse> => {
      asked.push(one);
      return Promise.resolve({ ...answer, body: bytes(), discard: () => (discarded += 1) });
    };
    const result = await signedFile(storage, {
      platform: { ...fakePlatform(), clock, request },
      home: 'https://service.example',
      from: 'https://service.example/api/view',
      filename: 'a.png',
      clock,
      silenceMs: 1000,
      scope,
      context: { endpoint: 'GET /api/view', timeoutMs: 1000, redact: (text) => text },
      resume,
    });
    const isOver = (): boolean => {
      caller.abort();
      return discarded === 1 && clock.pending() === 0 && scope.ending() === undefined;
    };
    return { result, headers: asked[0]?.headers, isOver };
  };
  const part = { status: 206, headers: { 'content-range': 'bytes 5-19/20', etag: '"a"' } };

  it('G7: goes on where the file was cut', async () => {
    const { result, headers } = await fetched({ offset: 5, etag: '"a"' }, part);
    expect(headers).toMatchObject({ range: 'bytes=5-', 'if-range': '"a"' });
    expect(rightOf(result)).toMatchObject({ offset: 5, size: 20 });
  });

  it.each([undefined, { offset: 5, etag: 'W/"a"' }, { offset: 0, etag: '"a"' }])(
    'G7: asks for the whole file with %j',
    async (resume) => {
      const { result, headers } = await fetched(resume, { status: 200, headers: {} });
      expect(headers).not.toHaveProperty('range');
      expect(rightOf(result).offset).toBe(0);
    },
  );

  it('G7: refuses a part of other bytes, and ends the call', async () => {
    const { result, isOver } = await fetched({ offset: 5, etag: '"b"' }, part);
    expect(leftOf(result)).toMatchObject({
      _tag: 'DownloadFailed',
      status: 206,
      reason: 'the storage sent another part than was asked for',
    });
    expect(isOver()).toBe(true);
  });
});

import { canary, httpConnection, leftOf, rightOf } from '../../helpers/http-connection.js';
import { describe, expect, it } from 'vitest';
import { type FakeAnswer, fakePlatform } from '../../helpers/fake-platform.js';
import { assetContent } from '../../../src/core/http/assets/asset-content.js';
import { bodyText } from '../../helpers/body-text.js';
import { countingSignal } from '../../helpers/counting-signal.js';
import type { HttpConnection } from '../../../src/core/http/connection.js';
import type { HttpRequest } from '../../../src/core/platform/platform.js';
import { resolveLink } from '../../../src/core/http/assets/linked-file.js';
import type { ViewOptions } from '../../../src/core/http/rest-options.js';

const base = 'https://service.example/deployment/x';
const content = `${base}/api/v2/assets/a1/content`;
const record = `${base}/api/v2/assets/a1`;
const storage = 'https://storage.example/x?X-Goog-Expires=900';
const bytes: FakeAnswer = { body: 'bytes', headers: { 'content-type': 'image/png', etag: '"v1"' } };
const missing: FakeAnswer = { status: 404, body: '<html>' };
const refusal = (status: number, code: string): FakeAnswer => ({
  status,
  body: { error: { code, message: 'No.' } },
});

/** Fetches asset `a1` from a service that answers each address by the table, and with 404 any other one. */
const fetched = async (
  answers: Readonly<Record<string, FakeAnswer>>,
  {
    url,
    options,
    more,
  }: {
    readonly url?: string;
    readonly options?: ViewOptions;
    readonly more?: Partial<HttpConnection>;
  } = {},
) => {
  const platform = fakePlatform((request) => answers[request.url] ?? missing);
  const connection = httpConnection(platform, { baseUrl: base, ...more });
  const asset = { id: 'a1', ...(url !== undefined && { url }) };
  const running = assetContent(connection, { filename: 'cat.png', asset }, options)();
  await platform.clock.advance(20_000);
  const result = await running;
  const asked = platform.requests.map((request) => request.url);
  return { result, requests: platform.requests, asked, clock: platform.clock };
};

const keyOf = ({ headers }: HttpRequest): string | undefined => headers['x-api-key'];

describe('assetContent', () => {
  it('takes the bytes from the service', async () => {
    const { result, requests, asked, clock } = await fetched({ [content]: bytes });
    expect(await bodyText(rightOf(result))).toBe('bytes');
    expect(asked).toEqual([content]);
    expect(requests[0]?.headers).toMatchObject({ 'x-api-key': canary, 'accept-encoding': 'identity' });
    expect(clock.pending()).toBe(0);
  });

  it('G1: takes them from where the service redirects to, without the key', async () => {
    const to = { status: 302, headers: { location: storage } };
    const { result, requests } = await fetched({ [content]: to, [storage]: bytes });
    expect(await bodyText(rightOf(result))).toBe('bytes');
    expect(requests.map(keyOf)).toEqual([canary, undefined]);
  });

  it('G7: resumes inline as at storage, and only what is still the same file', async () => {
    const resume = { offset: 2, etag: '"v1"' };
    const part = {
      status: 206,
      body: 'tes',
      headers: { 'content-range': 'bytes 2-4/5', etag: '"v1"' },
    };
    const { result, requests } = await fetched({ [content]: part }, { options: { resume } });
    expect(rightOf(result)).toMatchObject({ offset: 2, size: 5 });
    expect(requests[0]?.headers).toMatchObject({ range: 'bytes=2-', 'if-range': '"v1"' });
    const other = { ...part, headers: { ...part.headers, etag: '"v2"' } };
    const changed = await fetched({ [content]: other }, { options: { resume } });
    expect(leftOf(changed.result)).toMatchObject({ _tag: 'DownloadFailed', status: 206 });
  });

  it('asks for the whole where a part can’t be told to be of the same file', async () => {
    const { result, requests } = await fetched(
      { [content]: bytes },
      { options: { resume: { offset: 2, etag: 'W/"v1"' } } },
    );
    expect(await bodyText(rightOf(result))).toBe('bytes');
    expect([requests[0]?.headers['range'], requests[0]?.headers['if-range']]).toEqual([undefined, undefined]);
  });

  it('says at once that the bytes of an output are gone', async () => {
    const { result, asked } = await fetched(
      { [content]: refusal(404, 'output_unavailable') },
      { url: storage },
    );
    expect(leftOf(result)).toMatchObject({
      _tag: 'DownloadFailed',
      status: 404,
      errorType: 'output_unavailable',
      endpoint: 'GET /api/v2/assets/a1/content',
    });
    expect(asked).toEqual([content]);
  });

  it('asks again for some seconds where an asset is not there yet', async () => {
    const { asked } = await fetched({ [content]: refusal(404, 'asset_not_found') });
    expect(asked.filter((url) => url === content)).toHaveLength(4);
  });

  it.each([404, 405, 501])('goes by the link of the file where content by the id is %i', async (status) => {
    const { result, requests } = await fetched({ [content]: { status }, [storage]: bytes }, { url: storage });
    expect(await bodyText(rightOf(result))).toBe('bytes');
    expect(keyOf(requests.at(-1)!)).toBeUndefined();
  });

  it('sends the key to a link below the base URL, and to no other of the same origin', async () => {
    const own = `${base}/files/cat.png`;
    const inside = await fetched({ [own]: bytes }, { url: own });
    expect([inside.requests.at(-1)?.url, keyOf(inside.requests.at(-1)!)]).toEqual([own, canary]);
    expect(inside.requests.at(-1)).toMatchObject({
      ...{ method: 'GET', streamed: true, headers: { 'accept-encoding': 'identity' } },
    });
    expect(await bodyText(rightOf(inside.result))).toBe('bytes');
    const beside = 'https://service.example/deployment/xy/cat.png';
    const outside = await fetched({ [beside]: bytes }, { url: beside });
    expect(await bodyText(rightOf(outside.result))).toBe('bytes');
    expect(keyOf(outside.requests.at(-1)!)).toBeUndefined();
  });

  it('takes a link of another origin for that, also where its path begins as that of the base URL', async () => {
    const elsewhere = 'https://storage.example/deployment/x/files/cat.png';
    const { result, requests } = await fetched({ [elsewhere]: bytes }, { url: elsewhere });
    expect(await bodyText(rightOf(result))).toBe('bytes');
    expect([requests.at(-1)?.url, keyOf(requests.at(-1)!)]).toEqual([elsewhere, undefined]);
  });

  it('takes a fresh link from the record where the one it has has expired', async () => {
    const fresh = 'https://storage.example/y';
    const { result, asked } = await fetched(
      { [storage]: { status: 403 }, [record]: { body: { id: 'a1', url: fresh } }, [fresh]: bytes },
      { url: storage },
    );
    expect(await bodyText(rightOf(result))).toBe('bytes');
    expect(asked.slice(-3)).toEqual([storage, record, fresh]);
  });

  it('keeps the first error where no link helps', async () => {
    const { result } = await fetched(
      { [content]: refusal(404, 'asset_not_found'), [record]: refusal(404, 'asset_not_found') },
      { url: 'http://10.0.0.1/x' },
    );
    expect(leftOf(result)).toMatchObject({ _tag: 'DownloadFailed', errorType: 'asset_not_found' });
  });

  it('asks for a link once where the record has the same one, and keeps no timer of what failed', async () => {
    const { result, asked, clock } = await fetched(
      { [storage]: { status: 403 }, [record]: { body: { id: 'a1', url: storage } } },
      { url: storage },
    );
    expect(leftOf(result)._tag).toBe('DownloadFailed');
    expect(asked.filter((url) => url === storage)).toHaveLength(1);
    expect(clock.pending()).toBe(0);
  });

  it('waits for the record no longer than the call may take, and not once its caller has left', async () => {
    const silentRecord = (options: ViewOptions, more: Partial<HttpConnection> = {}) => {
      const platform = fakePlatform(({ url }) =>
        url === record ? new Promise(() => undefined) : url === storage ? { status: 403 } : { status: 405 },
      );
      const connection = httpConnection(platform, { baseUrl: base, ...more });
      const running = assetContent(
        connection,
        { filename: 'cat.png', asset: { id: 'a1', url: storage } },
        options,
      )();
      return { platform, running };
    };
    const late = silentRecord({ timeoutMs: 1_000 });
    await late.platform.clock.advance(1_000);
    expect(leftOf(await late.running)).toMatchObject({ _tag: 'DownloadFailed', status: 405 });
    const leaving = new AbortController();
    const left = silentRecord({ signal: leaving.signal });
    await left.platform.clock.advance(100);
    expect(left.platform.requests.at(-1)?.url).toBe(record);
    leaving.abort();
    expect(leftOf(await left.running)).toMatchObject({ status: 405 });
  });

  it.each(['Aborted', 'Closed'] as const)('asks for no record once it has ended: %s', async (tag) => {
    const ending = new AbortController();
    const platform = fakePlatform(({ url }) => {
      if (url !== storage) return { status: 405 };
      ending.abort();
      return new Promise(() => undefined);
    });
    const connection = httpConnection(platform, {
      baseUrl: base,
      ...(tag === 'Closed' && { closed: ending.signal }),
    });
    const options = tag === 'Aborted' ? { signal: ending.signal } : {};
    const asset = { id: 'a1', url: storage };
    const running = assetContent(connection, { filename: 'cat.png', asset }, options)();
    await platform.clock.advance(1_000);
    expect(leftOf(await running)._tag).toBe(tag);
    expect(platform.requests.map(({ url }) => url)).not.toContain(record);
  });

  it('keeps no timer and no listener of a link whose storage refuses it', async () => {
    const leaving = countingSignal();
    const { result, clock } = await fetched(
      { [content]: { status: 405 }, [storage]: { status: 403 }, [record]: { status: 404 } },
      { url: storage, options: { signal: leaving.signal } },
    );
    expect([leftOf(result)._tag, clock.pending(), leaving.listeners()]).toEqual(['DownloadFailed', 0, 0]);
  });

  it('takes a link that is no address of the web for none', async () => {
    const { result, asked } = await fetched(
      { [content]: { status: 405 } },
      { url: 'ftp://storage.example/x' },
    );
    expect(leftOf(result)).toMatchObject({ _tag: 'DownloadFailed', status: 405 });
    expect(asked.filter((url) => url.startsWith('ftp'))).toEqual([]);
  });

  it('follows no link in a page, which can only see its own server', async () => {
    const { result, asked } = await fetched({}, { url: storage, more: { signedFile: undefined } });
    expect(leftOf(result)._tag).toBe('DownloadFailed');
    expect(asked).not.toContain(storage);
  });

  it('keeps what the account is refused', async () => {
    const { result } = await fetched({ [content]: refusal(401, 'unauthorized') }, { url: storage });
    expect(leftOf(result)._tag).toBe('Unauthorized');
  });
});

describe('resolveLink', () => {
  const urls = httpConnection(fakePlatform(), { baseUrl: base }).urls;

  it.each([
    ['https://storage.example/x', 'https://storage.example/x'],
    ['/deployment/x/api/v2/jobs/1', 'https://service.example/deployment/x/api/v2/jobs/1'],
    ['http://storage.example/x', 'http://storage.example/x'],
    ['/jobs/1', `${base}/api/v2/jobs/1`],
    ['', undefined],
    ['/files/https://x', `${base}/api/v2/files/https://x`],
    [' https://storage.example/x', undefined],
    ['//storage.example/x', undefined],
    ['ftp://storage.example/x', undefined],
    ['http://', undefined],
  ])('resolves %s', (link, url) => {
    expect(resolveLink(urls, link)).toBe(url);
  });
});

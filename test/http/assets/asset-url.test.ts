import { canary, httpConnection, leftOf, rightOf } from '../../helpers/http-connection.js';
import { describe, expect, it } from 'vitest';
import { type FakeAnswer, fakePlatform } from '../../helpers/fake-platform.js';
import { assetUrl } from '../../../src/core/http/assets/asset-url.js';
import type { HttpConnection } from '../../../src/core/http/connection.js';

const base = 'https://service.example/deployment/x';
const record = `${base}/api/v2/assets/a1`;
const content = `${record}/content`;
const storage = 'https://storage.example/x?sign=1';
const toStorage: FakeAnswer = { status: 302, headers: { location: storage } };

/** Asks for an address of asset `a1` at a service that answers each address by the table, and with 404 any other one. */
const addressOf = async (
  answers: Readonly<Record<string, FakeAnswer>>,
  more: Partial<HttpConnection> = {},
) => {
  const platform = fakePlatform((request) => answers[request.url] ?? { status: 404 });
  const asking = assetUrl(httpConnection(platform, { baseUrl: base, ...more }), 'a1')();
  await platform.clock.advance(20_000);
  const result = await asking;
  return {
    ...{ result, requests: platform.requests, unread: platform.unread() },
    asked: platform.requests.map(({ method, url }) => `${method} ${url}`),
  };
};

/** The record of the asset, with this link. */
const linked = (url: string | undefined, more: object = {}): FakeAnswer => ({
  body: { id: 'a1', ...(url !== undefined && { url }), ...more },
});

describe('an address of an asset that opens without the key', () => {
  it('is the link of its record where that leads to storage, with the moment at which it ends', async () => {
    const ends = { url_expires_at: '2026-11-27T12:15:00Z' };
    const { result, asked } = await addressOf({ [record]: linked(storage, ends) });
    expect(rightOf(result)).toEqual({ url: storage, expiresAt: Date.UTC(2026, 10, 27, 12, 15) });
    expect(asked).toEqual([`GET ${record}`]);
    expect(rightOf((await addressOf({ [record]: linked(storage) })).result)).toEqual({ url: storage });
  });

  it.each([
    ['is below the base URL', `${base}/files/cat.png`],
    ['begins at the root of the interface', '/assets/a1/content'],
    ['is none', undefined],
    ['is of another scheme', 'ftp://storage.example/x'],
  ])('is where the content is redirected to where the link %s', async (_, link) => {
    const { result, requests, asked, unread } = await addressOf({
      ...{ [record]: linked(link), [content]: toStorage, [storage]: { body: 'bytes' } },
    });
    expect(rightOf(result)).toEqual({ url: storage });
    // The service alone is asked, and gets the key; of the content one byte is enough.
    expect(asked).toEqual([`GET ${record}`, `GET ${content}`]);
    expect(requests.map(({ headers }) => headers['x-api-key'])).toEqual([canary, canary]);
    expect(requests[1]).toMatchObject({ headers: { range: 'bytes=0-0' } });
    expect(unread).toEqual([]);
  });

  it('is the link of the record alone where the service asks for no key', async () => {
    const own = `${base}/files/cat.png`;
    const { result, asked } = await addressOf({ [record]: linked(own) }, { key: () => undefined });
    expect([rightOf(result), asked]).toEqual([{ url: own }, [`GET ${record}`]]);
  });

  it.each([
    ['X-Goog-Date=20261127T120000Z&X-Goog-Expires=900', Date.UTC(2026, 10, 27, 12, 15)],
    ['X-Amz-Expires=60&X-Amz-Date=20260102T030405Z', Date.UTC(2026, 0, 2, 3, 5, 5)],
    ['X-Amz-Date=20260102T030405Z', undefined],
    ['X-Amz-Date=20260102T030405Z&X-Amz-Expires=soon', undefined],
    ['X-Goog-Expires=900', undefined],
    ['X-Goog-Date=27.11.2026&X-Goog-Expires=900', undefined],
    ['X-Goog-Date=9920261127T120000Z&X-Goog-Expires=900', undefined],
    ['X-Goog-Date=20261127T120000Z9&X-Goog-Expires=900', undefined],
  ])('ends when its storage says: %s', async (query, expiresAt) => {
    const url = `https://storage.example/x?${query}`;
    const { result } = await addressOf({
      ...{ [record]: linked(undefined), [content]: { status: 302, headers: { location: url } } },
    });
    expect(rightOf(result)).toEqual({ url, ...(expiresAt !== undefined && { expiresAt }) });
  });

  it.each<readonly [string, FakeAnswer]>([
    ['sends the file', { status: 206, body: 'b' }],
    ['redirects to nothing', { status: 302 }],
    ['redirects to no address of the web', { status: 302, headers: { location: 'ftp://storage.example/x' } }],
    ['redirects for good', { ...toStorage, status: 301 }],
  ])('is none where the service %s itself, and nothing stays unread', async (_, answer) => {
    const { result, unread } = await addressOf({ [record]: linked(undefined), [content]: answer });
    expect(leftOf(result)).toMatchObject({
      ...{ _tag: 'NotSupported', message: expect.stringContaining('sends its files itself') as string },
    });
    expect(unread).toEqual([]);
  });

  it('is none of what the service refuses: its record, or its content', async () => {
    const no = (status: number, code: string): FakeAnswer => ({
      ...{ status, body: { error: { code, message: 'No.' } } },
    });
    const gone = no(404, 'output_unavailable');
    const record404 = await addressOf({ [record]: gone, [content]: toStorage });
    expect(leftOf(record404.result)).toMatchObject({ status: 404, errorType: 'output_unavailable' });
    expect(record404.asked).not.toContain(`GET ${content}`);
    const content404 = await addressOf({ [record]: linked(undefined), [content]: gone });
    expect(leftOf(content404.result)).toMatchObject({ status: 404, errorType: 'output_unavailable' });
    expect(content404.unread).toEqual([]);
  });
});

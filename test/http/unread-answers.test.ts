import { httpConnection } from '../helpers/http-connection.js';
import { describe, expect, it } from 'vitest';
import { type FakeAnswer, fakePlatform } from '../helpers/fake-platform.js';
import { get } from '../helpers/play-call.js';
import type { HttpConnection } from '../../src/core/http/connection.js';
import { assetContent } from '../../src/core/http/assets/asset-content.js';
import { openSource } from '../../src/core/http/upload-source.js';
import { request } from '../../src/core/http/request.js';
import { uploadAsset } from '../../src/core/http/assets/upload-asset.js';
import { view } from '../../src/core/http/view.js';

/** An answer that is left unread holds its connection until the service cuts it: each is read to its end, or discarded. */
describe('no answer is left', () => {
  const file = { filename: 'a.png' };
  const storage = 'https://storage.example/x';
  const bytes: FakeAnswer = { body: 'bytes' };
  const long = 'x'.repeat(100_000);
  const upload = (connection: HttpConnection) =>
    uploadAsset(connection, openSource(connection, { content: new Uint8Array(), filename: 'a.png' }))();
  const asset = { status: 201, body: { id: 'a1', hash: 'blake3:00', url: storage, size_bytes: 0 } };

  type Call = (connection: HttpConnection) => Promise<unknown>;
  const viewed: Call = (connection) => view(connection, file)();
  const fetched: Call = (connection) => assetContent(connection, { ...file, asset: { id: 'a1' } })();
  const called: Call = (connection) => request(connection)(get)();

  it.each<[string, Call, Readonly<Record<string, FakeAnswer>>]>([
    ['a file by a redirect to nowhere', viewed, { '/api/view': { status: 302, headers: {}, body: long } }],
    [
      'a file by a redirect to an address that is refused',
      viewed,
      { '/api/view': { status: 302, headers: { location: 'http://10.0.0.1/x' }, body: long } },
    ],
    ['a file that the service answers itself', viewed, { '/api/view': { status: 200, body: long } }],
    ['a file that did not change', viewed, { '/api/view': { status: 304 } }],
    ['a file that is missing', viewed, { '/api/view': { status: 404, body: long } }],
    [
      'a file that storage refuses',
      viewed,
      { '/api/view': { status: 302, headers: { location: storage } }, '/x': { status: 403, body: long } },
    ],
    ['an asset that is missing', fetched, { '/content': { status: 404, body: long } }],
    [
      'an asset that storage refuses',
      fetched,
      { '/content': { status: 302, headers: { location: storage } }, '/x': { status: 403, body: long } },
    ],
    ['an upload of bytes that the service has', upload, { '/api/v2/assets/': bytes, '/from-hash': asset }],
    [
      'an upload of bytes that the service lacks',
      upload,
      { '/api/v2/assets/': { status: 404, body: long }, '/api/v2/assets': asset },
    ],
    ['a refusal that is long', called, { '': { status: 400, body: long } }],
    [
      'a page in place of an answer',
      called,
      { '': { status: 200, body: long, headers: { 'content-type': 'text/html' } } },
    ],
  ])('%s', async (_, call, answers) => {
    const platform = fakePlatform(({ url }) => {
      const route = Object.keys(answers).findLast((path) => url.includes(path));
      return route === undefined ? { status: 404, body: long } : answers[route]!;
    });
    const running = call(httpConnection(platform, { baseUrl: 'https://service.example' }));
    await platform.clock.advance(200_000);
    await running;
    expect(platform.requests.length).toBeGreaterThan(0);
    expect(platform.unread()).toEqual([]);
  });

  it('that comes after its call was given up', async () => {
    let answer: (late: FakeAnswer) => void = () => undefined;
    const platform = fakePlatform(() => new Promise((resolve) => (answer = resolve)));
    const ended = request(httpConnection(platform))(get, { timeoutMs: 100 })();
    await platform.clock.advance(100);
    await expect(ended).resolves.toMatchObject({ left: { _tag: 'Timeout' } });
    answer({ body: 'late' });
    await platform.clock.advance(0);
    expect(platform.unread()).toEqual([]);
  });
});

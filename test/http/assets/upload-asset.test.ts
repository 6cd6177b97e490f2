import { canary, httpConnection, leftOf, rightOf } from '../../helpers/http-connection.js';
import { describe, expect, it } from 'vitest';
import { type FakeAnswer, fakePlatform } from '../../helpers/fake-platform.js';
import fc from 'fast-check';
import { openSource } from '../../../src/core/http/upload-source.js';
import type { HttpRequest } from '../../../src/core/platform/platform.js';
import { uploadAsset } from '../../../src/core/http/assets/upload-asset.js';
import type { UploadOptions, UploadSource } from '../../../src/core/http/rest-options.js';
import { runs } from '../../helpers/runs.js';

/** BLAKE3-256 of no bytes, as published. */
const hashOfNothing = 'blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262';
const empty = { content: new Uint8Array(), filename: 'cat.png' };
const asset = { id: 'a1', hash: hashOfNothing, url: 'https://storage.example/x', size_bytes: 0 };
const refusal = (status: number, code: string): FakeAnswer => ({
  status,
  body: { error: { code, message: 'No.' } },
});

type Turn = FakeAnswer | 'cut' | 'silent';
type Route = 'HEAD' | 'from-hash' | 'POST';

const routeOf = ({ method, url }: HttpRequest): Route =>
  method === 'HEAD' ? 'HEAD' : url.endsWith('/from-hash') ? 'from-hash' : 'POST';

const fieldsOf = ({ form = [] }: HttpRequest): readonly (readonly [string, unknown])[] =>
  form.map((part) => [part.name, 'value' in part ? part.value : part.filename]);

/** Uploads to a service whose routes answer their turns, the last one over and over. */
const uploaded = async (
  turns: Partial<Record<Route, readonly Turn[]>>,
  {
    source = empty,
    options,
    hash,
  }: {
    readonly source?: UploadSource;
    readonly options?: UploadOptions;
    readonly hash?: Parameters<typeof uploadAsset>[3];
  } = {},
) => {
  const defaults: Record<Route, readonly Turn[]> = {
    HEAD: [{ status: 404 }],
    'from-hash': [{ status: 200, body: asset }],
    POST: [{ status: 201, body: asset }],
  };
  const asked = { HEAD: 0, 'from-hash': 0, POST: 0 };
  const platform = fakePlatform((request) => {
    const route = routeOf(request);
    const of = turns[route] ?? defaults[route];
    const turn = of[Math.min(asked[route]++, of.length - 1)]!;
    if (turn === 'silent') return new Promise(() => undefined);
    return turn === 'cut'
      ? Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET', sent: true }))
      : turn;
  });
  const connection = httpConnection(platform);
  const running = uploadAsset(connection, openSource(connection, source), options, hash)();
  let isOver = false;
  void running.finally(() => (isOver = true));
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    await platform.clock.advance(1_000);
  }
  const { requests } = platform;
  return { result: await running, requests, routes: requests.map(routeOf) };
};

describe('uploadAsset', () => {
  it('asks for the bytes by their hash, and sends them with the file last', async () => {
    const { result, requests, routes } = await uploaded({}, { options: { subfolder: 'in/' } });
    expect(rightOf(result)).toEqual({
      name: 'cat.png',
      subfolder: 'in',
      type: 'input',
      asset: { id: 'a1', hash: hashOfNothing, url: 'https://storage.example/x' },
    });
    expect(routes).toEqual(['HEAD', 'POST']);
    expect(requests[0]?.url).toBe(
      `http://127.0.0.1:9/api/v2/assets/by-hash/${encodeURIComponent(hashOfNothing)}`,
    );
    expect(fieldsOf(requests[1]!)).toEqual([
      ['content_type', 'image/png'],
      ['file_path', 'in/cat.png'],
      ['expected_hash', hashOfNothing],
      ['file', 'cat.png'],
    ]);
    expect(requests[1]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('makes the asset of the hash where the service has the bytes, and sends none', async () => {
    const { result, requests, routes } = await uploaded({ HEAD: [{ status: 200 }] });
    expect(rightOf(result).asset?.id).toBe('a1');
    expect(routes).toEqual(['HEAD', 'from-hash']);
    expect(JSON.parse(requests[1]?.json ?? '')).toEqual({ hash: hashOfNothing, file_path: 'cat.png' });
  });

  it.each([204, 301, 403, 405, 429, 500, 501])('sends the bytes where HEAD answers %i', async (status) => {
    const { result, routes } = await uploaded({ HEAD: [{ status }] });
    expect(rightOf(result).asset?.id).toBe('a1');
    expect(routes.at(-1)).toBe('POST');
    expect(routes.filter((route) => route === 'POST')).toHaveLength(1);
  });

  it.each([404, 405, 410, 501])('sends the bytes where from-hash answers %i after all', async (status) => {
    const { result, routes } = await uploaded({ HEAD: [{ status: 200 }], 'from-hash': [{ status }] });
    expect(rightOf(result).asset?.id).toBe('a1');
    expect(routes.at(-1)).toBe('POST');
  });

  it.each(['HEAD', 'from-hash'] as const)('sends nothing where %s gets no answer', async (route) => {
    const { result, routes } = await uploaded({ HEAD: [{ status: 200 }], [route]: ['cut'] });
    expect(leftOf(result)._tag).toBe('Network');
    expect(routes).not.toContain('POST');
  });

  it('looks the bytes up where the answer was lost, and does not send them twice', async () => {
    const { result, routes } = await uploaded({
      HEAD: [{ status: 404 }, { status: 200 }],
      POST: ['cut'],
    });
    expect(rightOf(result).asset?.id).toBe('a1');
    expect(routes).toEqual(['HEAD', 'POST', 'HEAD', 'from-hash']);
  });

  it('sends bytes that did not arrive again, each time with another key, and gives up after the third', async () => {
    const { result, requests, routes } = await uploaded({ POST: [{ status: 500 }] });
    expect(leftOf(result)).toMatchObject({ _tag: 'ServerError', status: 500 });
    expect(routes).toEqual(['HEAD', 'POST', 'HEAD', 'POST', 'HEAD', 'POST']);
    const keys = requests.flatMap(({ headers }) => headers['idempotency-key'] ?? []);
    expect(new Set(keys).size).toBe(3);
  });

  it('takes a used key for bytes that may have arrived', async () => {
    const { result, routes } = await uploaded({
      HEAD: [{ status: 404 }, { status: 200 }],
      POST: [refusal(422, 'idempotency_key_reuse')],
    });
    expect(rightOf(result).asset?.id).toBe('a1');
    expect(routes).toEqual(['HEAD', 'POST', 'HEAD', 'from-hash']);
  });

  it('keeps the key while the service asks to wait', async () => {
    const later = { ...refusal(429, 'rate_limited'), headers: { 'retry-after': '2' } };
    const { requests, routes } = await uploaded({ POST: [later, { status: 201, body: asset }] });
    expect(routes).toEqual(['HEAD', 'POST', 'POST']);
    expect(requests[1]?.headers['idempotency-key']).toBe(requests[2]?.headers['idempotency-key']);
  });

  it.each([
    [refusal(409, 'hash_mismatch'), 'HashMismatch'],
    [refusal(413, 'payload_too_large'), 'TooLarge'],
    [{ status: 413, body: '<html>Request Entity Too Large</html>' }, 'TooLarge'],
    [refusal(422, 'validation_error'), 'BadRequest'],
    [refusal(402, 'insufficient_credits'), 'InsufficientCredits'],
  ])('ends with %j as %s, and sends once', async (answer, tag) => {
    const { result, routes } = await uploaded({ POST: [answer] });
    expect(leftOf(result)).toMatchObject({ _tag: tag, status: answer.status });
    expect(routes).toEqual(['HEAD', 'POST']);
  });

  it('takes the hash and the path that the service gives, as it may strip what tells a place', async () => {
    const stripped = { ...asset, hash: `blake3:${'0'.repeat(64)}`, file_path: 'uploads/1/cat.png' };
    const { result } = await uploaded({ POST: [{ status: 200, body: stripped }] });
    expect(rightOf(result)).toMatchObject({
      name: 'cat.png',
      subfolder: 'uploads/1',
      asset: { hash: stripped.hash },
    });
    const pending = await uploaded({ POST: [{ status: 201, body: { id: 'a2', hash: null } }] });
    expect(rightOf(pending.result).asset).toEqual({ id: 'a2' });
  });

  it('sends the bytes at once, and without a hash, where none can be computed', async () => {
    const { result, requests, routes } = await uploaded(
      { POST: ['cut', { status: 201, body: asset }] },
      { hash: () => Promise.resolve(undefined) },
    );
    expect(rightOf(result).asset?.id).toBe('a1');
    expect(routes).toEqual(['POST', 'POST']);
    expect(fieldsOf(requests[0]!).map(([name]) => name)).toEqual(['content_type', 'file_path', 'file']);
  });

  it('says that a file changed while it was read', async () => {
    const { result, routes } = await uploaded({}, { hash: () => Promise.reject(new Error('NotReadable')) });
    expect(leftOf(result)).toMatchObject({ _tag: 'FileSystem', code: 'EIO', path: 'cat.png' });
    expect(routes).toEqual([]);
  });

  it('ends with its caller while it hashes, and sends nothing', async () => {
    const aborting = new AbortController();
    const { result, routes } = await uploaded(
      {},
      {
        options: { signal: aborting.signal },
        hash: (_, scope) => {
          aborting.abort();
          return scope.race(new Promise(() => undefined));
        },
      },
    );
    expect(leftOf(result)).toMatchObject({ _tag: 'Aborted', sent: false });
    expect(routes).toEqual([]);
  });

  it('has one deadline over hashing, questions and bytes', async () => {
    const { result, routes } = await uploaded(
      {},
      { options: { timeoutMs: 3_000 }, hash: (_, scope) => scope.race(new Promise(() => undefined)) },
    );
    expect(leftOf(result)).toMatchObject({ _tag: 'Timeout', timeoutMs: 3_000 });
    expect(routes).toEqual([]);
    const silent = await uploaded({ POST: ['silent'] }, { options: { timeoutMs: 3_000 } });
    expect(leftOf(silent.result)).toMatchObject({ _tag: 'Timeout', timeoutMs: 3_000 });
    expect(silent.routes).toEqual(['HEAD', 'POST']);
  });

  it('shows the key in no error', async () => {
    const echo = {
      status: 422,
      body: { error: { code: 'validation_error', message: `${canary} is no file` } },
    };
    const { result } = await uploaded({ POST: [echo] });
    expect(JSON.stringify(leftOf(result))).not.toContain(canary);
  });

  it('sends equal bytes once, in whatever order and under whatever names they come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 8 }), async (files) => {
        const stored = new Set<string>();
        let bodies = 0;
        const platform = fakePlatform(async (request): Promise<FakeAnswer> => {
          if (request.method === 'HEAD') {
            const hash = decodeURIComponent(request.url.split('/').at(-1) ?? '');
            return { status: stored.has(hash) ? 200 : 404 };
          }
          if (routeOf(request) === 'from-hash') return { status: 200, body: asset };
          bodies += 1;
          stored.add(String(new Map(fieldsOf(request)).get('expected_hash')));
          return Promise.resolve({ status: 201, body: asset });
        });
        const connection = httpConnection(platform);
        for (const [nth, file] of files.entries()) {
          const source = { content: Uint8Array.of(file), filename: `${nth}.png` };
          rightOf(await uploadAsset(connection, openSource(connection, source))());
        }
        expect(bodies).toBe(new Set(files).size);
      }),
      { numRuns: runs(20) },
    );
  });
});

describe('the type of an uploaded file', () => {
  const typeOf = async (filename: string, type = '') => {
    const content = new Blob([], { type });
    const { requests } = await uploaded({}, { source: { content, filename } });
    return fieldsOf(requests.at(-1)!).find(([name]) => name === 'content_type')?.[1];
  };

  it.each([
    ['a.png', 'image/png'],
    ['a.jpg', 'image/jpeg'],
    ['a.JPEG', 'image/jpeg'],
    ['a.webp', 'image/webp'],
    ['a.gif', 'image/gif'],
    ['a.b.mp4', 'video/mp4'],
    ['a.webm', 'video/webm'],
    ['a.wav', 'audio/wav'],
    ['a.mp3', 'audio/mpeg'],
    ['a.flac', 'audio/flac'],
    ['a.bin', 'application/octet-stream'],
    ['png.txt', 'application/octet-stream'],
  ])('is told by its name: %s is %s', async (filename, type) => {
    expect(await typeOf(filename)).toBe(type);
  });

  it('is its own before that of its name', async () => {
    expect(await typeOf('a.png', 'image/avif')).toBe('image/avif');
  });
});

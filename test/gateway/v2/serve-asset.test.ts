import { aJob } from './a-job.js';
import { aGateway, bytesOf } from './a-gateway.js';
import { content } from '../../helpers/output-content.js';
import { describe, expect, it } from 'vitest';
import type { FoundAsset } from '../../../src/server/gateway/v2/found-asset.js';
import { left, right } from '../../../src/core/protocol/either.js';
import { outputsOfJob } from '../../../src/server/gateway/v2/output-documents.js';
import { readableContent } from '../../../src/core/http/view.js';
import { fileTurns } from '../../../src/server/gateway/v2/file-turns.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { type RouteContext, serveAsset } from '../../../src/server/gateway/v2/context.js';
import type { ServiceError } from '../../../src/core/errors/errors.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { withoutMember } from '../../../src/core/state/without-member.js';

const job = aJob(
  {},
  { outputs: { 9: { images: [{ filename: 'sub\\out.png', subfolder: '', type: 'output' }] } } },
);
const ofJob: FoundAsset = { _tag: 'output', job, output: outputsOfJob(job)[0]! };
const uploaded: FoundAsset = {
  _tag: 'upload',
  record: {
    ...{ id: 'u', owner: 'ann', client: 'two', sizeBytes: 3, contentType: 'image/png', createdAt: 1 },
    ...{ stored: { name: 'u.png', subfolder: 'in', type: 'input' }, filePath: 'pictures/cat.png' },
  },
};

/** Serves an asset whose bytes the service gives, or these errors one after the other; and what it was asked for. */
const served = async (
  asset: FoundAsset | undefined,
  errors: readonly ServiceError[] = [],
  headers: Readonly<Record<string, string>> = {},
  known: ReturnType<RouteContext['sizes']['known']> = {},
) => {
  const asked: unknown[] = [];
  const failures = [...errors];
  const answer = (...what: readonly unknown[]) => {
    asked.push(what);
    const error = failures.shift();
    const file = readableContent({
      ...content(['0123456789'], 10),
      etag: '"1"',
      mediaType: 'application/octet-stream',
    });
    return () => Promise.resolve(error === undefined ? right(file) : left(error));
  };
  const learned: unknown[] = [];
  const context = {
    jobs: {
      view: (_: unknown, file: unknown, { resume }: { resume: unknown }) => answer('job', file, resume),
    },
    files: {
      view: (client: string, file: unknown, { resume }: { resume: unknown }) => answer(client, file, resume),
    },
    sizes: { known: () => known, learn: (id: string) => void learned.push(id) },
    turns: fileTurns(virtualClock()),
  } as unknown as RouteContext;
  const call = { caller: { name: 'ann' }, request: new Request('http://h/', { headers }) };
  const response = await serveAsset(context, call, asset);
  return { response, asked, learned };
};

describe('the bytes of an asset', () => {
  it('come from the service of its job, under the name that the job’s document has', async () => {
    const { response, asked, learned } = await served(ofJob);
    expect([await (response as Response).text(), asked, learned]).toEqual([
      '0123456789',
      [['job', ofJob.output.file, undefined]],
      [ofJob.output.id],
    ]);
    const { headers } = response as Response;
    expect([headers.get('content-disposition'), headers.get('content-type')]).toEqual([
      "inline; filename*=UTF-8''out.png",
      'image/png',
    ]);
  });

  it('come from the service that has the upload, under the last part of the name that its caller gave', async () => {
    const { response, asked } = await served(uploaded);
    expect(asked).toEqual([['two', { filename: 'u.png', subfolder: 'in', type: 'input' }, undefined]]);
    const { headers } = response as Response;
    expect(headers.get('content-disposition')).toBe("inline; filename*=UTF-8''cat.png");
    const unnamed = withoutMember(uploaded.record, 'filePath');
    const other = await served({ _tag: 'upload', record: unnamed });
    expect((other.response as Response).headers.get('content-disposition')).toContain('u.png');
  });

  it('are none where there is no such asset', async () => {
    const { response, asked } = await served(undefined);
    expect([response, asked]).toMatchObject([{ status: 404, code: 'asset_not_found' }, []]);
  });

  const failed = (more: object): ServiceError =>
    serviceError('DownloadFailed', { filename: 'a', reason: 'it is gone', retry: 'never', ...more });

  it.each<readonly [string, ServiceError, number, string]>([
    ['fails for good', failed({}), 404, 'output_unavailable'],
    ['has no such file', serviceError('NotFound', {}), 404, 'output_unavailable'],
    ['answers 404', serviceError('BadRequest', { status: 404, nodeErrors: {} }), 404, 'output_unavailable'],
    ['may have it later', failed({ retry: 'after' }), 503, 'upstream_unreachable'],
    ['does not answer', serviceError('Timeout', { timeoutMs: 1, sent: true }), 503, 'upstream_unreachable'],
    ['refuses the gateway', serviceError('Unauthorized', {}), 500, 'upstream_error'],
  ])('are refused where the service %s', async (_, error, status, code) => {
    expect((await served(ofJob, [error])).response).toMatchObject({ status, code });
  });

  it('are asked for once more as a whole where the file of which a part was asked for is another one', async () => {
    const range = { range: 'bytes=5-7' };
    const known = { size: 10, etag: '"0"' };
    const { response, asked } = await served(ofJob, [failed({})], range, known);
    expect(asked.map((one) => (one as unknown[])[2])).toEqual([{ offset: 5, etag: '"0"' }, undefined]);
    expect([(response as Response).status, await (response as Response).text()]).toEqual([206, '567']);
    const twice = await served(ofJob, [failed({}), failed({})], range, known);
    expect([twice.response, twice.asked.length]).toMatchObject([{ status: 404 }, 2]);
    const away = await served(ofJob, [serviceError('Timeout', { timeoutMs: 1, sent: true })], range, known);
    expect([away.response, away.asked.length]).toMatchObject([{ status: 503 }, 1]);
    const whole = await served(ofJob, [failed({})]);
    expect(whole.asked).toHaveLength(1);
  });
});

describe('an asset of API v2', () => {
  it('is shown and served to its owner alone, an upload as well as an output', async () => {
    const outputs = { 9: { images: [{ filename: 'out.png', subfolder: '', type: 'output' }] } };
    const ended = { ...aJob({ createdAt: 1_000 }, { phase: 'completed', outputs }), endedAt: 5_000 };
    const gateway = aGateway({ jobs: [ended] });
    gateway.stored.set('out.png', new Blob(['0123456789']));
    const made = await gateway.ask('POST', '/uploads?filename=a.txt', { body: bytesOf('abc') });
    const { asset } = made.json() as { readonly asset: { readonly id: string } };
    const { id } = outputsOfJob(ended)[0]!;
    const shown = async (of: string) => (await gateway.ask('GET', `/api/v2/assets/${of}`)).json();
    expect(await shown(id)).toMatchObject({
      ...{ id, file_path: 'out.png', size_bytes: 10, job_id: 'a-job', content_type: 'image/png' },
      created_at: '1970-01-01T00:00:05.000Z',
    });
    expect(await shown(asset.id)).toMatchObject({ id: asset.id, file_path: 'a.txt', size_bytes: 3 });
    for (const [of, text] of [
      [id, '0123456789'],
      [asset.id, 'abc'],
    ] as const) {
      expect((await gateway.ask('GET', `/api/v2/assets/${of}/content`)).text).toBe(text);
      for (const path of ['', '/content'])
        expect(
          (await gateway.ask('GET', `/api/v2/assets/${of}${path}`, { headers: { authorization: 'another' } }))
            .status,
        ).toBe(404);
    }
    // An output lives as long as its job, which is its owner's to delete.
    expect((await gateway.ask('DELETE', `/api/v2/assets/${id}`)).status).toBe(409);
  });

  it.each([
    [{ hash: 'blake3:abc' }, '`hash`'],
    [{}, '`hash`'],
    [[], '`hash`'],
    [{ hash: `blake3:${'0'.repeat(64)}`, file_path: '../a' }, '`file_path`'],
    [{ hash: `blake3:${'0'.repeat(64)}`, expires_in: 1 }, '`expires_in`'],
  ])('is made of no hash that is none, nor with fields that are none: %j', async (body, words) => {
    const refused = await aGateway().ask('POST', '/api/v2/assets/from-hash', {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    expect([refused.status, refused.json()]).toMatchObject([
      422,
      { error: { code: 'validation_error', message: expect.stringContaining(words) as string } },
    ]);
  });
});

import { aGateway, bytesOf } from '../v2/a-gateway.js';
import { aJob, base } from '../v2/a-job.js';
import { describe, expect, it } from 'vitest';
import type { GatewayJobs } from '../../../src/server/gateway/model/gateway-jobs.js';
import { nativeOperations } from '../../../src/server/gateway/routes/native-operations.js';
import type { RouteCall } from '../../../src/server/gateway/http/route.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { virtualClock } from '../../../src/testing.js';

const over = (jobs: Partial<GatewayJobs>) =>
  nativeOperations({ jobs, clock: virtualClock() } as unknown as Parameters<typeof nativeOperations>[0]);
const callOf = (params: Readonly<Record<string, string>>, query = '') =>
  ({
    ...{ caller: { name: 'ann' }, params, base, url: new URL(`${base}/jobs${query}`) },
    request: new Request(base),
  }) as unknown as RouteCall;
const picture = { id: '1', nodeId: '3', mediaType: 'image/webp', bytes: bytesOf('picture') };
const headersOf = ({ headers }: Response) =>
  ['content-type', 'cache-control', 'content-security-policy', 'x-content-type-options'].map((name) =>
    headers.get(name),
  );

describe('the newest preview of a node', () => {
  it('is asked for by caller, job and node, is kept by no cache, and runs nothing', async () => {
    const asked: unknown[] = [];
    const { preview } = over({
      preview: (caller, id, nodeId) => {
        asked.push([caller, id, nodeId]);
        return Promise.resolve(nodeId === '3' ? picture : undefined);
      },
    });
    const answer = (await preview(callOf({ id: 'j', node: '3' }))) as Response;
    expect([await answer.text(), headersOf(answer)]).toEqual([
      'picture',
      ['image/webp', 'no-store', "sandbox; default-src 'none'", 'nosniff'],
    ]);
    expect(await preview(callOf({ id: 'j', node: '4' }))).toMatchObject({
      ...{ status: 404, code: 'preview_not_found' },
    });
    expect(asked).toEqual(['3', '4'].map((node) => [{ name: 'ann' }, 'j', node]));
  });
});

describe('a picture that a job sent over the socket', () => {
  it('is an output that never changes, or is kept no more', async () => {
    const job = aJob({ id: 'j' });
    let kept: typeof picture | undefined = picture;
    const { output } = over({ get: () => Promise.resolve(job), image: () => Promise.resolve(kept) });
    const call = callOf({ id: 'j', output: 'websocket.0.9' });
    const answer = (await output(call)) as Response;
    expect([await answer.text(), headersOf(answer)]).toEqual([
      'picture',
      ['image/webp', 'private, max-age=3600', "sandbox; default-src 'none'", 'nosniff'],
    ]);
    kept = undefined;
    expect(await output(call)).toMatchObject({ status: 404, code: 'output_unavailable' });
  });
});

describe('the cancellation of a job', () => {
  it('gives the job and whether its end was asked for, or why the service did not take it', async () => {
    const job = aJob({ id: 'j' });
    const cancelled = (result: Awaited<ReturnType<GatewayJobs['cancel']>>) =>
      over({ cancel: () => Promise.resolve(result) }).cancel(callOf({ id: 'j' }));
    for (const requested of [true, false]) {
      const answer = (await cancelled({ _tag: 'taken', job, requested })) as Response;
      expect(await answer.json()).toMatchObject({ id: 'j', requested });
    }
    const error = serviceError('Timeout', { timeoutMs: 1, sent: true });
    expect(await cancelled({ _tag: 'failed', job, error })).toMatchObject({ status: 503 });
    expect(await cancelled(undefined)).toMatchObject({ status: 404, code: 'job_not_found' });
  });
});

describe('the list of jobs', () => {
  it('is asked for by caller, and refused with a query or a cursor that is none', async () => {
    const asked: unknown[] = [];
    const { list } = over({
      list: (caller, query) => {
        asked.push([caller.name, query.after, query.limit]);
        return Promise.resolve(query.after === 'gone' ? undefined : { jobs: [aJob({ id: 'j' })], next: 'c' });
      },
    });
    expect(await ((await list(callOf({}, '?limit=3&cursor=b'))) as Response).json()).toMatchObject({
      ...{ jobs: [{ id: 'j' }], next: 'c' },
    });
    expect(await list(callOf({}, '?cursor=gone'))).toMatchObject({ status: 400, code: 'invalid_cursor' });
    expect(await list(callOf({}, '?limit=101'))).toMatchObject({ status: 400 });
    expect(asked).toEqual([
      ['ann', 'b', 3],
      ['ann', 'gone', 50],
    ]);
  });
});

describe('an upload that is sent as it is', () => {
  it('needs no type and no name, and a body', async () => {
    const gateway = aGateway();
    const bare = await gateway.ask('POST', '/uploads', { body: bytesOf('abc') });
    expect([bare.status, bare.json()]).toMatchObject([
      201,
      { sizeBytes: 3, mediaType: 'application/octet-stream', subfolder: '', type: 'input' },
    ]);
    const { asset, name } = bare.json() as { readonly asset: { readonly id: string }; readonly name: string };
    expect(name).toBe(asset.id);
    const empty = await gateway.ask('POST', '/uploads');
    expect([empty.status, empty.json()]).toMatchObject([422, { code: 'invalid_body' }]);
    const wrong = await gateway.ask('POST', '/uploads', {
      body: 'abc',
      headers: { 'content-type': 'no type' },
    });
    expect(wrong.status).toBe(422);
  });
});

import { aGateway } from './a-gateway.js';
import { aJob, base } from './a-job.js';
import { describe, expect, it } from 'vitest';
import type { CancelResult, GatewayJobs } from '../../../src/server/gateway/model/gateway-jobs.js';
import type { RouteCall } from '../../../src/server/gateway/http/route.js';
import type { RouteContext } from '../../../src/server/gateway/v2/context.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { v2JobOperations } from '../../../src/server/gateway/v2/job-operations.js';

const call = (path: string, params: Readonly<Record<string, string>> = {}) =>
  ({ caller: { name: 'someone' }, url: new URL(`${base}${path}`), base, params }) as unknown as RouteCall;
const over = (jobs: Partial<GatewayJobs>) =>
  v2JobOperations({ jobs, sizes: { of: () => Promise.resolve(new Map()) } } as unknown as RouteContext);
const bodyOf = (answer: unknown): Promise<unknown> => (answer as Response).json() as Promise<unknown>;

describe('the list of jobs in API v2', () => {
  it('says of each when it was made and when anything of it changed last, and where the list goes on', async () => {
    const asked: unknown[] = [];
    const jobs = [
      aJob({ id: 'new' }),
      { ...aJob({ id: 'started', metadata: { user: 'a' } }, { phase: 'in_progress' }), startedAt: 2_000 },
      { ...aJob({ id: 'asked', cancelRequestedAt: 3_000 }, { phase: 'in_progress' }), startedAt: 2_000 },
      { ...aJob({ id: 'ended' }, { phase: 'completed' }), startedAt: 2_000, endedAt: 4_000 },
    ];
    const { list } = over({
      list: (caller, query) => {
        asked.push(caller.name, query);
        return Promise.resolve({ jobs, next: 'c-2' });
      },
    });
    const time = (ms: number): string => new Date(ms).toISOString();
    expect(await bodyOf(await list(call('/api/v2/jobs?limit=4&cursor=c-1')))).toEqual({
      jobs: [
        { id: 'new', status: 'queued', create_time: time(1), update_time: time(1) },
        {
          ...{ id: 'started', status: 'running', create_time: time(1), update_time: time(2_000) },
          metadata: { user: 'a' },
        },
        { id: 'asked', status: 'canceling', create_time: time(1), update_time: time(3_000) },
        { id: 'ended', status: 'succeeded', create_time: time(1), update_time: time(4_000) },
      ],
      next_cursor: 'c-2',
    });
    expect(asked).toMatchObject(['someone', { limit: 4, after: 'c-1' }]);
  });

  it('is refused with a cursor that no list gave, and with a query that is none', async () => {
    const { list } = over({ list: () => Promise.resolve(undefined) });
    expect(await list(call('/api/v2/jobs?cursor=x'))).toMatchObject({ status: 400, code: 'invalid_cursor' });
    expect(await list(call('/api/v2/jobs?limit=0'))).toMatchObject({ status: 400, code: 'invalid_request' });
    const last = over({ list: () => Promise.resolve({ jobs: [] }) });
    expect(await bodyOf(await last.list(call('/api/v2/jobs')))).toEqual({ jobs: [] });
  });
});

describe('the cancellation of a job in API v2', () => {
  const asked: string[][] = [];
  const cancelled = (result: CancelResult | undefined) =>
    over({
      cancel: ({ name }, id) => {
        asked.push([name, id]);
        return Promise.resolve(result);
      },
    }).cancel(call('/', { id: 'a-job' }));
  const job = aJob({ cancelRequestedAt: 5 }, { phase: 'in_progress' });
  const errors = {
    Network: serviceError('Network', { code: 'ECONNREFUSED', sent: false }),
    Timeout: serviceError('Timeout', { timeoutMs: 1, sent: true }),
    Closed: serviceError('Closed', {}),
    ServerError: serviceError('ServerError', { status: 500 }),
    RateLimited: serviceError('RateLimited', {}),
  };

  it('gives the job, also where the service does not stop it, as its end tells', async () => {
    for (const result of [
      { _tag: 'taken', job, requested: true },
      {
        _tag: 'failed',
        job,
        error: serviceError('CancelNotApplied', { promptId: 'p', phase: 'in_progress' }),
      },
      { _tag: 'failed', job, error: serviceError('NotFound', {}) },
    ] as const)
      expect(await bodyOf(await cancelled(result))).toMatchObject({ id: 'a-job', status: 'canceling' });
  });

  it.each([
    ['Network', 503],
    ['Timeout', 503],
    ['Closed', 503],
    ['ServerError', 500],
    ['RateLimited', 429],
  ] as const)('is refused where the service could not be asked: %s', async (tag, status) => {
    const error = errors[tag];
    expect(await cancelled({ _tag: 'failed', job, error })).toMatchObject({ status });
  });

  it('is that of no job where the caller has none', async () => {
    expect(await cancelled(undefined)).toMatchObject({ status: 404, code: 'job_not_found' });
    expect(asked.at(-1)).toEqual(['someone', 'a-job']);
  });
});

describe('what API v2 keeps of a job', () => {
  it('is its workflow as it was submitted, and no log', async () => {
    const workflow = { 9: { class_type: 'SaveImage', inputs: {} } };
    const { ask } = aGateway({ jobs: [aJob({ workflow })] });
    expect((await ask('GET', '/api/v2/jobs/a-job/workflow')).json()).toEqual({ workflow, format: 'api' });
    const logs = await ask('GET', '/api/v2/jobs/a-job/logs');
    expect([logs.status, logs.text]).toEqual([204, '']);
    for (const path of ['', '/workflow', '/logs'])
      expect((await ask('GET', `/api/v2/jobs/other${path}`)).status).toBe(404);
  });
});

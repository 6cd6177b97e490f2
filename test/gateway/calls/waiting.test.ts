import { describe, expect, it, onTestFinished } from 'vitest';
import { createGateway, type GatewayOptions } from '../../../src/gateway.js';
import { clientOf, life, playedService, workflow } from '../support.js';
import { unknownFailure } from '../../../src/core/state/failure.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

/** A gateway in virtual time over a service whose jobs the test moves. */
const played = (options: Partial<GatewayOptions> = {}) => {
  const service = playedService();
  const clock = virtualClock();
  const gateway = createGateway({
    ...{ client: clientOf(service), clock, authorize: () => ({ name: 'ann' }) },
    ...options,
  });
  onTestFinished(() => gateway.close());
  const post = (headers: Readonly<Record<string, string>>, init: RequestInit = {}, query = '') =>
    gateway.fetch(
      new Request(`http://h/jobs${query}`, {
        ...{ method: 'POST', body: JSON.stringify({ workflow }), ...init },
        headers: { 'content-type': 'application/json', ...headers },
      }),
    );
  /** The job of the service, once it is there. */
  const job = async (at = 0) => {
    await expect.poll(() => service.jobs.length).toBeGreaterThan(at);
    return service.jobs[at]!;
  };
  const end = async (at = 0) => {
    const { promptId, move } = await job(at);
    for (const state of life(promptId, 1)) move(state);
  };
  return { service, clock, gateway, post, job, end };
};

const bodyOf = async (response: Response) =>
  (await response.json()) as {
    readonly id: string;
    readonly code?: string;
    readonly state: { readonly phase: string };
  };

describe('a submission that waits', () => {
  it('is answered once the job has ended, with its files by the names of their nodes', async () => {
    const { post, end } = played();
    const answer = post({ prefer: 'wait=10' });
    await end();
    const response = await answer;
    expect([response.status, response.headers.get('preference-applied')]).toEqual([200, 'wait=10']);
    expect(response.headers.has('idempotency-replayed')).toBe(false);
    const body = (await response.json()) as { readonly id: string; readonly outputs: object };
    expect(response.headers.get('location')).toBe(`http://h/jobs/${body.id}`);
    expect(body.outputs).toMatchObject({ SaveImage: [{ nodeId: '2' }, { nodeId: '2' }] });
  });

  it('is answered by 202 where the job takes longer, and the same key joins the job', async () => {
    const { post, clock, job, end, service } = played();
    const first = post({ prefer: 'wait=10', 'idempotency-key': 'k' });
    await job();
    const response = await clock.until(first, 20_000);
    expect(response.status).toBe(202);
    expect(response.headers.get('retry-after')).toBe('2');
    const { id, state } = await bodyOf(response);
    expect(state.phase).toBe('pending');

    const second = post({ prefer: 'wait=10', 'idempotency-key': 'k' });
    await end();
    const joined = await second;
    expect([joined.status, joined.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect((await bodyOf(joined)).id).toBe(id);
    expect(service.submitted.length).toBe(1);
  });

  it('waits no longer than the gateway lets it', async () => {
    const { post, end } = played({ maxWaitMs: 5_000 });
    const answer = post({ prefer: 'wait=600' });
    await end();
    expect((await answer).headers.get('preference-applied')).toBe('wait=5');
  });

  it('waits for 50 seconds at most where the gateway is told nothing, less than most proxies do', async () => {
    const { post, end } = played();
    const answer = post({ prefer: 'wait=600' });
    await end();
    expect((await answer).headers.get('preference-applied')).toBe('wait=50');
  });

  it.each([
    ['a key that is none', { 'idempotency-key': 'x'.repeat(300) }, { workflow }],
    ['no workflow', {}, { inputs: {} }],
    ['a workflow that is none', {}, { workflow: 7 }],
  ])('is refused with %s, and makes no job', async (_, headers, body) => {
    const { post, service } = played();
    const answer = await post({ prefer: 'wait=1', ...headers }, { body: JSON.stringify(body) });
    expect([answer.status >= 400 && answer.status < 500, service.submitted]).toEqual([true, []]);
  });

  it('counts as a stream while it waits, and a caller who may have no more gets no job', async () => {
    const { post, job, end, service } = played({ limits: { streams: 1 } });
    const first = post({ prefer: 'wait=10' });
    await job();
    expect((await bodyOf(await post({ prefer: 'wait=10' }))).code).toBe('too_many_streams');
    expect(service.submitted.length).toBe(1);
    await end();
    expect((await first).status).toBe(200);
    const third = post({ prefer: 'wait=10' });
    await end(1);
    expect((await third).status).toBe(200);
  });

  it('does not wait where the gateway has no streams', async () => {
    const { post } = played({ limits: { streams: 0 } });
    const response = await post({ prefer: 'wait=10' });
    expect([response.status, response.headers.get('preference-applied')]).toEqual([201, null]);
  });

  it('ends nothing where its caller leaves, unless that was asked for', async () => {
    const { post, job, service } = played();
    const leave = async (query: string, at: number) => {
      const left = new AbortController();
      const answer = post({ prefer: 'wait=10' }, { signal: left.signal }, query);
      await job(at);
      // The wait begins after the service's answer.
      await new Promise((resolve) => setImmediate(resolve));
      left.abort();
      expect((await answer).status).toBe(202);
    };
    await leave('', 0);
    expect(service.cancelled).toEqual([]);
    await leave('?on-leave=cancel', 1);
    expect(service.cancelled).toEqual([service.jobs[1]!.promptId]);
  });

  it('shows a failed job to callers of JSON, and has no bytes for the others', async () => {
    const { post, job } = played();
    const fail = async (accept: string, at: number) => {
      const answer = post({ prefer: 'wait=10', accept });
      const { promptId, move } = await job(at);
      move({ ...life(promptId)[1]!, phase: 'failed', failure: unknownFailure('No memory.') });
      return answer;
    };
    const shown = await fail('application/json', 0);
    expect([shown.status, (await bodyOf(shown)).state.phase]).toEqual([200, 'failed']);
    const refused = await fail('image/*', 1);
    expect([refused.status, await refused.json()]).toEqual([
      422,
      expect.objectContaining({ code: 'job_failed', detail: 'The job ended as failed: No memory.' }),
    ]);
    expect(refused.headers.get('location')).toContain('/jobs/');
  });

  it('is answered where the gateway ends meanwhile', async () => {
    const { post, job, gateway } = played();
    const answer = post({ prefer: 'wait=10' });
    await job();
    await gateway.close();
    expect([202, 503]).toContain((await answer).status);
  });
});

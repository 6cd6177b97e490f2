import { describe, expect, it } from 'vitest';
import { call, endless, open, quick } from '../support.js';
import { allEventsOf, ask } from './support.js';
import { type EmulatorOptions, virtualClock } from '../../../src/emulator.js';

const codeOf = async (answer: ReturnType<typeof ask>): Promise<unknown> => {
  const { status, body } = await answer;
  return [status, (body['error'] as { code?: unknown } | undefined)?.code];
};

const open2 = (options: EmulatorOptions = {}) => open({ dialect: 'v2', ...options });

describe('API v2 refuses, always with its envelope,', () => {
  it('what it does not have, a missing and a wrong key, pages of other origins, and other methods', async () => {
    const emulator = await open2();
    expect(await codeOf(ask(emulator, 'GET', '/nothing'))).toEqual([404, 'not_found']);
    expect(await codeOf(ask(emulator, 'DELETE', '/jobs/a'))).toEqual([405, 'method_not_allowed']);
    expect(await codeOf(ask(emulator, 'GET', '/jobs/a', { key: null }))).toEqual([401, 'unauthorized']);
    expect(await codeOf(ask(emulator, 'GET', '/jobs/a', { key: 'wrong' }))).toEqual([401, 'unauthorized']);
    expect(
      await codeOf(ask(emulator, 'GET', '/jobs/a', { headers: { origin: 'http://page.example' } })),
    ).toEqual([403, 'forbidden']);
    const byHeader = { key: null, headers: { 'x-api-key': emulator.apiKey } };
    expect(await codeOf(ask(emulator, 'GET', '/jobs/a', byHeader))).toEqual([401, 'unauthorized']);
    expect(await codeOf(ask(emulator, 'GET', '/jobs'))).toEqual([501, 'not_implemented']);
    expect((await call(emulator, 'GET', '/api/queue')).body).toMatchObject({ error: { code: 'not_found' } });
    expect(JSON.stringify(emulator.requests)).toContain('unknown-key');
  });

  it('submissions that no service can run', async () => {
    const emulator = await open2({ switches: { maxPromptBytes: 500 } });
    const submit = (body: unknown, headers = {}) => codeOf(ask(emulator, 'POST', '/jobs', { body, headers }));
    expect(await submit([])).toEqual([400, 'invalid_request']);
    expect(await submit({ workflow: quick }, { 'idempotency-key': '' })).toEqual([400, 'invalid_request']);
    expect(await submit({ workflow: quick, webhook_url: null })).toEqual([422, 'invalid_workflow']);
    expect(await submit({ workflow: quick, extra_data: { other: 1 } })).toEqual([422, 'invalid_workflow']);
    expect(await submit({ workflow: quick, metadata: { a: 'b' } })).toEqual([422, 'metadata_not_supported']);
    expect(await submit({ workflow: { nodes: [], links: [] } })).toEqual([422, 'workflow_format_ui']);
    expect(await submit({ workflow: 'x'.repeat(600) })).toEqual([413, 'payload_too_large']);
    const wrong = { '7': { class_type: 'SlowNode', inputs: { steps: 'many' } } };
    const { body } = await ask(emulator, 'POST', '/jobs', { body: { workflow: wrong } });
    expect(body).toMatchObject({ error: { details: { node_errors: { '7': [{ field: 'steps' }] } } } });
    expect(emulator.ledger.jobs).toEqual([]);
  });

  it('submissions that it cannot take now: no credits, a full queue, a deployment that starts, too many requests', async () => {
    const clock = virtualClock();
    const switches = { queueLimit: 0, notReadyMs: 5000, requestsPerMinute: 5 };
    const emulator = await open2({ clock, concurrency: 1, speed: 1, switches });
    const submit = () =>
      ask(emulator, 'POST', '/jobs', { body: { workflow: endless }, headers: { 'idempotency-key': 'k' } });
    expect(await codeOf(submit())).toEqual([429, 'deployment_not_ready']);
    await clock.advance(5000);
    emulator.setBilling('no credits');
    expect(await codeOf(submit())).toEqual([402, 'insufficient_credits']);
    emulator.setBilling('active');
    expect(await codeOf(submit())).toEqual([429, 'queue_full']);
    for (let asked = 0; asked < 2; asked += 1) await ask(emulator, 'GET', '/jobs/none');
    const limited = await ask(emulator, 'GET', '/jobs/none');
    expect([limited.status, limited.headers.get('retry-after'), limited.body['error']]).toMatchObject([
      429,
      '1',
      { code: 'rate_limited' },
    ]);
  });
});

describe('the switches of API v2', () => {
  it('mount it below a path, open it to all, and put the older interface beside it', async () => {
    const emulator = await open2({
      switches: { basePath: '/deployment/x', anonymous: true, v1Routes: true },
    });
    expect(new URL(emulator.baseUrl).pathname).toBe('/deployment/x');
    const { body } = await ask(emulator, 'POST', '/jobs', { body: { workflow: quick }, key: null });
    const urls = body['urls'] as Record<string, string>;
    expect(urls['self']).toMatch(/^\/deployment\/x\/api\/v2\/jobs\//u);
    expect((await ask(emulator, 'GET', urls['self'] ?? '', { key: null })).status).toBe(200);
    expect((await fetch(new URL('/api/v2/jobs/a', emulator.baseUrl))).status).toBe(404);
    expect((await call(emulator, 'GET', `/api/job/${String(body['id'])}/status`)).status).toBe(200);
  });

  it('labels that are none, by the key of the first one', async () => {
    const emulator = await open2({ switches: { metadata: true } });
    const messageOf = async (metadata: unknown) => {
      const { status, body } = await ask(emulator, 'POST', '/jobs', { body: { workflow: quick, metadata } });
      const { code, message } = body['error'] as { code: string; message: string };
      expect([status, code]).toEqual([422, 'metadata_invalid']);
      return message;
    };
    expect(await messageOf({ team: 'a', 'of a': 'b' })).toContain('"of a"');
    expect(await messageOf({ team: 7 })).toContain('"team"');
    expect(await messageOf({ team: 'a\u202Eb' })).toContain('"team"');
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, 'v']));
    expect(await messageOf(many)).toContain('up to 16');
    expect(await messageOf(['team'])).toContain('up to 16');
  });

  it('list jobs by their labels, page by page, until they are forgotten', async () => {
    const clock = virtualClock();
    const emulator = await open2({ clock, switches: { jobList: true, metadata: true, logs: true } });
    const submit = async (team: string): Promise<unknown> => {
      const { body } = await ask(emulator, 'POST', '/jobs', {
        body: { workflow: quick, metadata: { team } },
      });
      await allEventsOf(emulator, body['id']);
      return body['id'];
    };
    const ids = [await submit('a'), await submit('b'), await submit('a')];
    const first = (await ask(emulator, 'GET', '/jobs?limit=1&metadata[team]=a')).body;
    expect(first['jobs']).toMatchObject([{ id: ids[2], status: 'succeeded', metadata: { team: 'a' } }]);
    const second = await ask(
      emulator,
      'GET',
      `/jobs?metadata[team]=a&cursor=${String(first['next_cursor'])}`,
    );
    expect(second.body).toMatchObject({ jobs: [{ id: ids[0] }] });
    expect(second.body).not.toHaveProperty('next_cursor');
    expect(await codeOf(ask(emulator, 'GET', '/jobs?cursor=none'))).toEqual([400, 'invalid_cursor']);
    expect(await codeOf(ask(emulator, 'GET', '/jobs?metadata[]=a'))).toEqual([
      400,
      'invalid_metadata_filter',
    ]);
    const { body } = await ask(emulator, 'GET', `/jobs/${String(ids[0])}`);
    const { logs } = body['urls'] as { logs: string };
    expect((await ask(emulator, 'GET', logs)).body).toMatchObject({ truncated: false, complete: true });
    await clock.advance(24 * 3_600_000);
    expect(await codeOf(ask(emulator, 'GET', `/jobs/${String(ids[0])}`))).toEqual([404, 'job_not_found']);
    expect((await ask(emulator, 'GET', '/jobs')).body).toEqual({ jobs: [] });
  });
});

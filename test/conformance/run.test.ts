import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AddressInfo } from 'node:net';
import { type EmulatorOptions, startEmulator } from '../../src/emulator.js';
import {
  junitReport,
  runConformance,
  textReport,
  type ConformanceOptions,
  type Verdict,
} from '../../src/conformance.js';
import { allCases } from '../../src/testing/conformance/all-cases.js';
import { localNotChecked } from '../../src/testing/conformance/dialects/local-not-checked.js';
import { v2NotChecked } from '../../src/testing/conformance/dialects/v2-not-checked.js';
import { jsonLines } from '../cli/helpers/json-lines.js';
import { once } from 'node:events';
import { startCli } from '../cli/helpers/start-cli.js';

/** What no run checks, of chapters 11 and 12. */
const neverChecked = new Set([...localNotChecked, ...v2NotChecked].map(({ id }) => id));

const started = async (options: EmulatorOptions) => {
  const emulator = await startEmulator({ speed: 50, ...options });
  onTestFinished(() => emulator.close());
  return emulator;
};

/** What a relay makes of an answer; undefined leaves it alone. */
type Alter = (
  path: string,
  status: number,
  body: string,
) => { readonly status?: number; readonly body?: string } | undefined;

/** Stands before a service, and answers wrongly. */
const wrong = async (baseUrl: string, alter: Alter): Promise<string> => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = 'GET', url = '/', headers } = request;
      const kept = [
        ...['x-api-key', 'authorization', 'content-type', 'origin', 'range', 'idempotency-key'],
        'if-none-match',
      ];
      const sent = Object.entries(headers).filter(([name]) => kept.includes(name)) as [string, string][];
      const body = method === 'GET' || method === 'HEAD' ? undefined : Buffer.concat(chunks);
      void fetch(`${baseUrl}${url}`, {
        method,
        headers: sent,
        redirect: 'manual',
        ...(body && { body }),
      }).then(async (answer) => {
        const bytes = Buffer.from(await answer.arrayBuffer());
        const changed = alter(url, answer.status, bytes.toString()) ?? {};
        const told = ['content-type', 'location', 'content-range', 'etag'].flatMap((name) => {
          const value = answer.headers.get(name);
          return value === null ? [] : [[name, value] as const];
        });
        response.writeHead(changed.status ?? answer.status, Object.fromEntries(told));
        response.end(changed.body ?? bytes);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Puts other words into the answers of a path. */
const inBody =
  (at: RegExp, words: string | RegExp, others: string): Alter =>
  (path, _, body) =>
    at.test(path) ? { body: body.replace(words, others) } : undefined;

const queueOfOne = JSON.stringify({ queue_running: [[1, 'id', {}, []]], queue_pending: [] });

const failedOf = async (options: ConformanceOptions): Promise<readonly string[]> =>
  (await runConformance({ patienceMs: 20_000, ...options })).verdicts.flatMap(({ id, result }) =>
    result === 'failed' ? [id] : [],
  );

describe('runConformance', () => {
  it.each([
    ...(['0.3.40', '0.3.64', '0.6', '0.9', '0.26', 'latest'] as const).map((engine) => ({
      ...{ dialect: 'local' as const, engine },
    })),
    ...(['interface', '2026', '2026-11'] as const).map((profile) => ({ dialect: 'v2' as const, profile })),
  ])('passes everything on the emulator: %o', async (options) => {
    const { dialect } = options;
    const { baseUrl, wsUrl, apiKey } = await started(options);
    const key = dialect === 'local' ? {} : { apiKey };
    const report = await runConformance({ baseUrl, wsUrl, dialect, ...key, budget: 4, exclusive: true });
    const of = (wanted: Verdict['result']) => report.verdicts.filter(({ result }) => result === wanted);
    expect(of('failed')).toEqual([]);
    // What is left out is what no run checks, and what this release has not.
    const reasons = of('skipped').map(({ id, reason = '' }) => [id, reason] as const);
    const unexpected = reasons.filter(
      ([id, reason]) => !neverChecked.has(id) && !reason.includes('older than'),
    );
    expect(unexpected).toEqual([]);
    for (const [, reason] of reasons) expect(reason).toMatch(/\w+ \w+/u);
    expect(report.jobs).toBeGreaterThan(2);
  });

  it.each(['interface', '2026', '2026-11'] as const)(
    'passes everything on the emulator by the command: cloud, %s',
    async (profile) => {
      const { baseUrl, wsUrl, apiKey } = await started({ profile });
      const running = startCli(
        [
          ...['conformance', '--profile', profile, '--tier', 'creator'],
          ...['--budget', '500', '--exclusive', '--json'],
        ],
        {
          env: { PROMPTWIRE_BASE_URL: baseUrl, PROMPTWIRE_WS_URL: wsUrl, PROMPTWIRE_API_KEY: apiKey },
        },
      );
      const code = await running.exit;
      const lines = jsonLines(running.stdout());
      const told = lines.filter(({ kind }) => kind === 'statement');
      expect(told.filter(({ result }) => result === 'failed')).toEqual([]);
      const unexplained = told.filter(
        ({ result, reason }) =>
          result === 'skipped' && !/^(?:only the operator|it holds in)/u.test(String(reason)),
      );
      expect(unexplained.map(({ id, reason }) => [id, reason])).toEqual([]);
      expect(told.length, running.stderr()).toBe(allCases.length);
      expect(code).toBe(0);
    },
    120_000,
  );

  it('only reads without a budget, and says why it skipped the rest', async () => {
    const { baseUrl, wsUrl, apiKey, requests } = await started({ profile: '2026-11' });
    const report = await runConformance({
      baseUrl,
      wsUrl,
      apiKey,
      profile: '2026-11',
      only: ['2.1', '2.2', '2.4', '10'],
    });
    expect(requests.filter(({ method }) => method !== 'GET' && method !== 'HEAD')).toEqual([]);
    const { verdicts } = report;
    expect(verdicts.filter(({ result }) => result === 'failed')).toEqual([]);
    expect(verdicts.filter(({ result }) => result === 'passed').length).toBeGreaterThan(5);
    for (const { result, reason } of verdicts) if (result === 'skipped') expect(reason).toBeTruthy();
    expect(textReport(report)).toMatch(/this run only reads\n[^]*0 jobs$/u);
  });

  it('makes no more jobs than its budget', async () => {
    const { baseUrl, wsUrl, apiKey } = await started({});
    const { jobs, verdicts } = await runConformance({ baseUrl, wsUrl, apiKey, budget: 1, only: ['2.4'] });
    expect(jobs).toBe(1);
    expect(verdicts.some(({ reason = '' }) => reason.includes('of the budget ran'))).toBe(true);
  });

  it('tells of a failure what was sent and what came, without the key', async () => {
    const { baseUrl, wsUrl, apiKey } = await started({ without: ['endpoint:GET /api/user'] });
    const report = await runConformance({ baseUrl, wsUrl, apiKey, only: ['2.11.1'] });
    const [verdict] = report.verdicts;
    expect(verdict).toMatchObject({ id: '2.11.1', result: 'failed', exchanges: [{ sent: 'GET /api/user' }] });
    expect(junitReport(report)).toMatch(/failures="1"[^]*<failure message="[^]*&gt; GET \/api\/user/u);
    expect(JSON.stringify(report) + junitReport(report) + textReport(report)).not.toContain(apiKey);
  });

  describe('finds what is wrong with a local server, by the number of the statement', () => {
    const mutants: readonly (readonly [id: string, alter: Alter])[] = [
      ['L.1', (path) => (path === '/api/queue' ? { status: 401 } : undefined)],
      ['L.2', (path) => (path === '/queue' ? { status: 404 } : undefined)],
      ['L.3', (_, status) => (status === 403 ? { status: 200 } : undefined)],
      ['L.4', (path) => (path === '/api/user' ? { status: 200, body: '{}' } : undefined)],
      ['L.8', (path, status) => (path === '/api/prompt' && status === 400 ? { status: 200 } : undefined)],
      ['L.9', (path, status) => (path === '/api/prompt' && status === 500 ? { status: 400 } : undefined)],
      ['L.11', inBody(/^\/api\/history\//u, '"success"', '"error"')],
      ['L.13', (path) => (path.startsWith('/api/history/') ? { body: '{"a":1}' } : undefined)],
      ['L.16', (path) => (path === '/api/queue' ? { body: queueOfOne } : undefined)],
      ['L.17', (path) => (path === '/api/queue' ? { body: '{}' } : undefined)],
      ['L.18', (path) => (path === '/api/interrupt' ? { status: 404 } : undefined)],
      [
        'L.19',
        (path, status) => (path.startsWith('/api/view') && status === 206 ? { status: 200 } : undefined),
      ],
      ['L.20', inBody(/^\/api\/upload/u, /conformance \(\d+\)/u, 'conformance')],
      ['L.21', inBody(/^\/api\/history\//u, 'conformance_0', 'another_0')],
      ['L.31', (path) => (path === '/api/users' ? { body: '{"storage":"browser"}' } : undefined)],
      ['L.33', (path) => (path === '/api/system_stats' ? { body: '{"system":{}}' } : undefined)],
      ['L.34', inBody(/^\/api\/object_info\/KSampler/u, /18446744073709551615/gu, '18446744073709552000')],
      ['L.65', (path) => (path.includes('folder') ? { status: 404 } : undefined)],
      ['L.66', inBody(/^\/api\/history\//u, /"outputs": ?\{/u, '"outputs":{"other":{},')],
      ['L.71', inBody(/^\/api\/jobs/u, '"pagination"', '"page"')],
      [
        'L.72',
        (path, status) => (path.startsWith('/api/jobs/') && status === 404 ? { status: 400 } : undefined),
      ],
      ['L.73', inBody(/^\/api\/jobs\//u, /"outputs_count": ?\d+/u, '"outputs_count":7')],
      ['L.74', inBody(/\/cancel$/u, 'false', 'true')],
      ['L.75', inBody(/^\/api\/prompt$/u, 'invalid_prompt_id', 'invalid_prompt')],
      ['L.80', (path) => (path === '/api/node_replacements' ? { body: '[]' } : undefined)],
      ['L.84', (path, status) => (path.includes('/models/') && status === 404 ? { status: 200 } : undefined)],
      ['L.85', (path) => (path === '/api/embeddings' ? { body: '{}' } : undefined)],
      ['L.87', (path) => (path.includes('max_items') ? { body: '{"a":{},"b":{}}' } : undefined)],
      ['L.88', (_, status) => (status === 403 ? { status: 404 } : undefined)],
      [
        'L.89',
        (path, status) => (path.startsWith('/api/userdata') && status === 409 ? { status: 200 } : undefined),
      ],
    ];
    it.each(mutants)('%s', async (id, alter) => {
      const { baseUrl, wsUrl } = await started({ dialect: 'local', engine: 'latest' });
      const more = { wsUrl, dialect: 'local', budget: 4, exclusive: true, only: [id] } as const;
      expect(await failedOf({ baseUrl, ...more })).toEqual([]);
      expect(await failedOf({ baseUrl: await wrong(baseUrl, alter), ...more })).toEqual([id]);
    });

    it.each([
      ['L.5', 'execution_start'],
      ['L.28', 'status'],
    ])('%s, by the events', async (id, type) => {
      const faults = [{ on: 'event', match: { type }, do: 'drop', times: 'every' }] as const;
      const { baseUrl, wsUrl } = await started({ dialect: 'local', engine: 'latest', faults });
      expect(await failedOf({ baseUrl, wsUrl, dialect: 'local', budget: 4, only: [id] })).toEqual([id]);
    });
  });

  describe('finds what is wrong with a server of API v2, by the number of the statement', () => {
    const job = /\/jobs\/[^/]+$/u;
    const events = /\/events$/u;
    const firstLook = (): Alter => {
      let looks = 0;
      return (path) => (job.test(path) && (looks += 1) === 1 ? { status: 404 } : undefined);
    };
    const oneId = (): Alter => {
      let first: string | undefined;
      return (path, status, body) => {
        if (path !== '/api/v2/jobs' || status !== 201) return undefined;
        const { id } = JSON.parse(body) as { readonly id: string };
        first ??= id;
        return { body: body.replaceAll(id, first) };
      };
    };
    const answered =
      (at: RegExp, from: number, to: number): Alter =>
      (path, status) =>
        at.test(path) && status === from ? { status: to } : undefined;
    const mutants: readonly (readonly [id: string, alter: Alter])[] = [
      ['V.1.1', (_, status) => (status === 404 ? { body: '{"error":"not found"}' } : undefined)],
      ['V.1.2', (path) => (path === '/api/v2/jobs' ? { status: 403 } : undefined)],
      ['V.1.3', (_, status) => (status === 401 ? { status: 403 } : undefined)],
      ['V.1.4', inBody(job, /"self": ?"[^"]*"/u, '"self":"jobs"')],
      ['V.1.5', inBody(job, /"url": ?"[^"]*"/u, '"url":"/content"')],
      ['V.2.1', (_, status) => (status === 404 ? { body: '{"error":"not found"}' } : undefined)],
      ['V.2.3', (path) => (path.includes('by-hash') ? { status: 200 } : undefined)],
      ['V.3.1', (_, status) => (status === 201 ? { status: 200 } : undefined)],
      ['V.3.2', firstLook()],
      ['V.3.3', oneId()],
      ['V.3.4', answered(/\/jobs$/u, 422, 400)],
      ['V.3.5', inBody(/\/jobs$/u, 'workflow_format_ui', 'invalid_workflow')],
      ['V.3.6', answered(/\/jobs$/u, 422, 400)],
      ['V.3.7', answered(/\/jobs$/u, 422, 400)],
      ['V.3.8', (_, status) => (status === 400 || status === 422 ? { status: 500 } : undefined)],
      ['V.3.9', inBody(/\/jobs$/u, 'missing_asset', 'invalid_workflow')],
      ['V.3.12', inBody(/\/jobs$/u, /"suite"|metadata_not_supported/u, '"dropped"')],
      ['V.4.1', inBody(/\/jobs$/u, 'idempotency_key_reuse', 'invalid_workflow')],
      ['V.4.2', answered(/\/jobs$/u, 422, 400)],
      ['V.4.3', answered(/\/jobs$/u, 400, 422)],
      ['V.5.1', inBody(job, '"expires_at"', '"ends_at"')],
      ['V.5.2', inBody(job, '"succeeded"', '"canceled"')],
      ['V.5.3', inBody(job, /"queue_position": ?null/u, '"queue_position":3')],
      ['V.5.5', inBody(job, /"type": ?"image"/u, '"type":"3d"')],
      ['V.5.6', inBody(job, /"node_id": ?"load"/u, '"node_id":null')],
      ['V.5.7', (_, status) => (status === 404 ? { status: 400 } : undefined)],
      ['V.5.8', inBody(job, /("created_at": ?"[^"]*)Z"/u, '$1+00:00"')],
      ['V.5.9', inBody(/\/workflow$/u, '"api"', '"ui"')],
      ['V.5.10', (path) => (path.endsWith('/logs') ? { status: 404 } : undefined)],
      ['V.5.11', (path) => (path === '/api/v2/jobs' ? { status: 200, body: '{"items":[]}' } : undefined)],
      ['V.6.1', answered(/\/cancel$/u, 200, 202)],
      ['V.6.4', answered(/\/cancel$/u, 200, 409)],
      ['V.6.5', (path) => (path.endsWith('/cancel') ? { status: 200 } : undefined)],
      ['V.7.1', inBody(events, /event: ?status/u, 'event:')],
      ['V.7.2', inBody(events, /event: ?status/u, 'event: progress')],
      ['V.7.3', inBody(events, 'succeeded', 'running')],
      ['V.7.4', (path, _, body) => (events.test(path) ? { body: body + body } : undefined)],
      ['V.7.5', inBody(events, 'succeeded', 'done')],
      ['V.7.7', (path) => (path.endsWith('/events') ? { status: 200 } : undefined)],
      ['V.7.8', (path, _, body) => (events.test(path) ? { body: `id: 1\n${body}` } : undefined)],
      ['V.8.1', (path) => (path.endsWith('/assets') ? { status: 202 } : undefined)],
      ['V.8.2', inBody(/\/assets$/u, /blake3:..../u, 'blake3:0000')],
      ['V.8.3', (path) => (path.includes('by-hash') ? { status: 404 } : undefined)],
      ['V.8.4', answered(/\/assets$/u, 409, 400)],
      ['V.8.5', answered(/\/assets$/u, 422, 400)],
      ['V.8.6', (path) => (path.includes('/assets/') ? { status: 200 } : undefined)],
      ['V.8.7', answered(/\/assets\//u, 204, 200)],
      ['V.8.8', inBody(job, '"succeeded"', '"failed"')],
      ['V.8.9', inBody(/\/assets$/u, 'idempotency_key_reuse', 'invalid_body')],
      ['V.9.1', (path) => (path.endsWith('/content') ? { status: 500 } : undefined)],
      ['V.9.5', inBody(job, /"size_bytes": ?\d+/u, '"size_bytes":1')],
      ['V.9.6', inBody(job, /"name": ?"/u, '"name":"folder/')],
    ];
    it.each(mutants)('%s', async (id, alter) => {
      const { baseUrl, wsUrl, apiKey } = await started({ dialect: 'v2' });
      const more = { wsUrl, apiKey, dialect: 'v2', budget: 4, only: [id] } as const;
      expect(await failedOf({ baseUrl, ...more })).toEqual([]);
      expect(await failedOf({ baseUrl: await wrong(baseUrl, alter), ...more })).toEqual([id]);
    });
  });

  it('rejects where the node classes can not be read', async () => {
    const { baseUrl } = await started({});
    await expect(runConformance({ baseUrl, apiKey: 'another-key' })).rejects.toThrow('no node classes');
  });
});

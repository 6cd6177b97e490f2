import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AddressInfo } from 'node:net';
import { type EmulatorOptions, startEmulator } from '../../src/emulator.js';
import { junitReport, runConformance, textReport, type ConformanceOptions } from '../../src/conformance.js';
import { allCases } from '../../src/conformance/all-cases.js';
import { jsonLines } from '../cli/helpers/json-lines.js';
import { once } from 'node:events';
import { startCli } from '../cli/helpers/start-cli.js';

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
      const kept = ['x-api-key', 'authorization', 'content-type', 'origin', 'range', 'idempotency-key'];
      const sent = Object.entries(headers).filter(([name]) => kept.includes(name)) as [string, string][];
      const body = method === 'GET' || method === 'HEAD' ? undefined : Buffer.concat(chunks);
      void fetch(`${baseUrl}${url}`, {
        method,
        headers: sent,
        redirect: 'manual',
        ...(body && { body }),
      }).then(async (answer) => {
        const text = await answer.text();
        const changed = alter(url, answer.status, text) ?? {};
        response.writeHead(changed.status ?? answer.status, {
          'content-type': answer.headers.get('content-type') ?? 'application/json',
        });
        response.end(changed.body ?? text);
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

const failedOf = async (options: ConformanceOptions): Promise<readonly string[]> =>
  (await runConformance({ patienceMs: 5_000, ...options })).verdicts.flatMap(({ id, result }) =>
    result === 'failed' ? [id] : [],
  );

describe('runConformance', () => {
  it.each([
    ...(['0.3.40', '0.3.64', '0.6', '0.9', '0.26', 'latest'] as const).map((engine) => ({
      ...{ dialect: 'local' as const, engine },
    })),
    ...(['2026', '2026-11'] as const).map((profile) => ({ dialect: 'v2' as const, profile })),
  ])('passes everything on the emulator: %o', async (options) => {
    const { dialect } = options;
    const { baseUrl, wsUrl, apiKey } = await started(options);
    const key = dialect === 'local' ? {} : { apiKey };
    const { verdicts, jobs } = await runConformance({ baseUrl, wsUrl, dialect, ...key, budget: 3 });
    expect(verdicts.filter(({ result }) => result !== 'passed')).toEqual([]);
    expect(jobs).toBe(1);
  });

  it.each(['interface', '2026-11'] as const)(
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

  it('finds what is wrong with a local server, by the number of the statement', async () => {
    const { baseUrl, wsUrl } = await started({ dialect: 'local' });
    const mutants: readonly (readonly [id: string, alter: Alter])[] = [
      ['L.1', (path) => (path === '/api/queue' ? { status: 401 } : undefined)],
      ['L.2', (path) => (path === '/queue' ? { status: 404 } : undefined)],
      ['L.3', (_, status) => (status === 403 ? { status: 200 } : undefined)],
      ['L.4', (path) => (path === '/api/user' ? { status: 200, body: '{}' } : undefined)],
      ['L.13', (path) => (path.startsWith('/api/history/') ? { body: '{"a":1}' } : undefined)],
      ['L.31', (path) => (path === '/api/users' ? { body: '{"storage":"browser"}' } : undefined)],
      ['L.33', (path) => (path === '/api/system_stats' ? { body: '{"system":{}}' } : undefined)],
      ['L.8', (path, status) => (path === '/api/prompt' && status === 400 ? { status: 200 } : undefined)],
      ['L.9', (path, status) => (path === '/api/prompt' && status === 500 ? { status: 400 } : undefined)],
    ];
    for (const [id, alter] of mutants)
      expect(
        await failedOf({
          baseUrl: await wrong(baseUrl, alter),
          wsUrl,
          dialect: 'local',
          budget: 1,
          only: [id],
        }),
      ).toEqual([id]);
  });

  it('finds what is wrong with a server of API v2, by the number of the statement', async () => {
    const { baseUrl, wsUrl, apiKey } = await started({ dialect: 'v2' });
    const mutants: readonly (readonly [id: string, alter: Alter])[] = [
      ['V.1.2', (path) => (path === '/api/v2/jobs' ? { status: 403 } : undefined)],
      ['V.1.3', (_, status) => (status === 401 ? { status: 403 } : undefined)],
      ['V.2.1', (_, status) => (status === 404 ? { body: '{"error":"not found"}' } : undefined)],
      ['V.2.3', (path) => (path.includes('by-hash') ? { status: 200 } : undefined)],
      ['V.5.7', (_, status) => (status === 404 ? { status: 400 } : undefined)],
      ['V.5.11', (path) => (path === '/api/v2/jobs' ? { status: 200, body: '{"items":[]}' } : undefined)],
      ['V.7.7', (path) => (path.endsWith('/events') ? { status: 200 } : undefined)],
      ['V.8.6', (path) => (path.includes('/assets/') ? { status: 200 } : undefined)],
      ['V.6.5', (path) => (path.endsWith('/cancel') ? { status: 200 } : undefined)],
      ['V.3.8', (_, status) => (status === 400 || status === 422 ? { status: 500 } : undefined)],
      ['V.3.1', (_, status) => (status === 201 ? { status: 200 } : undefined)],
    ];
    for (const [id, alter] of mutants)
      expect(
        await failedOf({
          baseUrl: await wrong(baseUrl, alter),
          wsUrl,
          apiKey,
          dialect: 'v2',
          budget: 1,
          only: [id],
        }),
      ).toEqual([id]);
  });

  it('rejects where the node classes can not be read', async () => {
    const { baseUrl } = await started({});
    await expect(runConformance({ baseUrl, apiKey: 'another-key' })).rejects.toThrow('no node classes');
  });
});

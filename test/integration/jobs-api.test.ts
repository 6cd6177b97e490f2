import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Emulator, EmulatorOptions } from '../../src/emulator.js';
import { emulated, hurried, picture, reaches, refusal, slow, submit } from '../helpers/emulated.js';
import { Readable } from 'node:stream';
import { outputFiles } from '../../src/node.js';
import type { Platform } from '../../src/core/platform/platform.js';
import { toPromise } from '../../src/core/interop/to-promise.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';

/** The requests that an emulator got since `from`, without numbers of their own. */
const routes = (emulator: Emulator, from = 0): readonly string[] =>
  emulator.requests
    .slice(from)
    .filter(({ origin }) => origin === 'api')
    .map(({ method, url }) => `${method} ${url.replace(/[\da-f-]{36}/u, '{id}').replace(/\?.*/u, '')}`)
    .filter((route) => route !== 'GET /ws');

const local = (engine: EmulatorOptions['engine'], more: EmulatorOptions = {}) =>
  emulated({ dialect: 'local', engine, ...more }, { dialect: 'local' });

/** Counts the bytes of answers. */
const counting = () => {
  let bytes = 0;
  const wrap = (platform: Platform): Partial<Platform> => ({
    request: async (request) => {
      const response = await platform.request(request);
      async function* counted() {
        for await (const chunk of response.body) {
          bytes += chunk.byteLength;
          yield chunk;
        }
      }
      return { ...response, body: counted() };
    },
  });
  return { wrap, bytes: () => bytes };
};

/** A workflow of 200 nodes. */
const large: Workflow = {
  ...slow(),
  ...Object.fromEntries(
    Array.from({ length: 199 }, (_, node) => [
      `n${node}`,
      { class_type: 'SilentOutput', inputs: {}, _meta: { title: 'x'.repeat(40) } },
    ]),
  ),
};

/** Says that a path is unknown as another server than aiohttp would. */
const saying =
  (body: string) =>
  (platform: Platform): Partial<Platform> => ({
    request: async (request) => {
      const response = await platform.request(request);
      if (response.status !== 404) return response;
      Readable.from(response.body).resume();
      const headers = { ...response.headers, 'content-type': 'application/json' };
      return { ...response, headers, body: Readable.from([new TextEncoder().encode(body)]) };
    },
  });

describe('the status of a job by the jobs API', () => {
  it('M15: reads at most 4 KiB for one job beside many that wait', async () => {
    const { emulator, client, newClient } = await local('0.26');
    for (let job = 0; job < 100; job += 1)
      await fetch(`${emulator.baseUrl}/prompt`, { method: 'POST', body: JSON.stringify({ prompt: large }) });
    const mine = await submit(client, picture());
    const { wrap, bytes } = counting();
    const reader = newClient({}, wrap);
    await toPromise(reader.rest.jobStatus(mine.promptId));
    expect(bytes()).toBeLessThanOrEqual(4096);
  });

  it('M15: asks an older engine for it once, and then by queue and history', async () => {
    const { emulator, client } = await local('0.3.64');
    const running = await submit(client, slow());
    const from = emulator.requests.length;
    const asked = [running.promptId, running.promptId].map((id) => toPromise(client.rest.jobStatus(id)));
    expect((await Promise.all(asked)).map(({ promptId }) => promptId)).toHaveLength(2);
    expect(routes(emulator, from).toSorted()).toEqual([
      'GET /api/jobs/{id}',
      'GET /api/queue',
      'GET /api/queue',
    ]);
  });

  it('M15: asks an older engine for none of its routes again: to cancel, or at an end that the record leaves open', async () => {
    const { emulator, client } = await local('0.3.64');
    const job = await submit(client, slow());
    await reaches(job, 'in_progress');
    await toPromise(client.rest.jobStatus(job.promptId));
    const from = emulator.requests.length;
    await toPromise(job.cancel());
    await lastValueFrom(job.states);
    const failed = await submit(client, slow(1));
    emulator.answerOnce('GET', `/api/history/${failed.promptId}`, {
      status: 200,
      body: JSON.stringify({
        [failed.promptId]: { outputs: {}, status: { status_str: 'error', messages: [] } },
      }),
    });
    await lastValueFrom(failed.states);
    expect(routes(emulator, from).filter((route) => route.includes('/jobs'))).toEqual([]);
  });

  it.each(['{"detail":"Not Found"}', '{"code":"NOT_FOUND","message":"no such path"}', '{}', '<html></html>'])(
    'M17: asks queue and history where an unknown path is answered by %s',
    async (body) => {
      const { newClient } = await local('0.3.64');
      const client = newClient({}, saying(body));
      const job = await submit(client, slow(5_000));
      await reaches(job, 'in_progress');
      expect(await toPromise(client.rest.jobStatus(job.promptId))).toMatchObject({ phase: 'in_progress' });
      await toPromise(job.cancel());
      expect(await lastValueFrom(job.states)).toMatchObject({ phase: 'cancelled' });
    },
  );

  it('M15: is NotFound by one request where the engine knows no such job', async () => {
    const { emulator, client } = await local('0.6');
    const error = await refusal(client.rest.jobStatus('11111111-1111-4111-8111-111111111111'));
    expect(error._tag).toBe('NotFound');
    expect(routes(emulator)).toEqual(['GET /api/jobs/{id}']);
  });

  it.each(['0.6', '0.26', 'latest'] as const)(
    'M15: of engine %s ends a job that is followed by polls with one request',
    async (engine) => {
      const { emulator, client, newClient } = await local(engine, { speed: Infinity });
      const job = await submit(client, picture());
      await lastValueFrom(job.states);
      const from = emulator.requests.length;
      const last = await lastValueFrom(newClient().follow(job.promptId));
      expect(last).toMatchObject({ phase: 'completed', outputsComplete: true });
      expect(outputFiles(last.outputs)).toEqual(outputFiles((await lastValueFrom(job.states)).outputs));
      expect(routes(emulator, from)).toEqual(['GET /api/jobs/{id}']);
    },
  );

  it.each(['0.3.64', '0.6', '0.26', 'latest'] as const)(
    'M15: of engine %s ends a job that the socket brings with one request',
    async (engine) => {
      const { emulator, client } = await local(engine, {
        speed: Infinity,
        switches: { recordDelayMs: 0 },
      });
      const { phase, outputsComplete } = await lastValueFrom(client.run(picture()));
      expect([phase, outputsComplete]).toEqual(['completed', true]);
      expect(routes(emulator)).toEqual(['POST /api/prompt', 'GET /api/history/{id}']);
    },
  );

  it.each([
    ['none', ['POST /api/prompt', 'GET /api/history_v2/{id}']],
    ['one', ['POST /api/prompt', 'GET /api/jobs/{id}']],
    ['all', ['POST /api/prompt', 'GET /api/jobs/{id}']],
  ] as const)('M15: of a cloud service with %s of it ends a later job so: %j', async (jobsApi, expected) => {
    const { emulator, client } = await emulated({ speed: Infinity, switches: { jobsApi } });
    await lastValueFrom(client.run(picture()));
    const from = emulator.requests.length;
    const last = await lastValueFrom(client.run(picture()));
    expect(last).toMatchObject({ phase: 'completed', outputsComplete: true });
    expect(routes(emulator, from)).toEqual(expected);
  });
});

describe('cancelling by the jobs API', () => {
  it('M16: sends one request for a waiting job, which is cancelled though the engine knows it no more', async () => {
    const { emulator, client } = await local('0.26');
    const running = await submit(client, slow());
    await reaches(running, 'in_progress');
    const waiting = await submit(client, slow());
    const from = emulator.requests.length;
    await toPromise(client.cancel(waiting.promptId));
    expect(routes(emulator, from)[0]).toBe('POST /api/jobs/{id}/cancel');
    expect(await lastValueFrom(waiting.states)).toMatchObject({ phase: 'cancelled' });
    expect(await lastValueFrom(client.follow(waiting.promptId))).toMatchObject({ phase: 'cancelled' });
    await toPromise(client.cancel(running.promptId));
    expect(await lastValueFrom(running.states)).toMatchObject({ phase: 'cancelled' });
    expect(routes(emulator, from)).not.toContain('POST /api/interrupt');
  });

  it.each(['0.3.40', '0.3.64', '0.9'] as const)(
    'M16: a waiting job that engine %s took out of its queue is cancelled, though the engine knows it no more',
    async (engine) => {
      const { client } = await local(engine);
      const running = await submit(client, slow());
      await reaches(running, 'in_progress');
      const waiting = await submit(client, slow(50_000));
      await toPromise(client.cancel(waiting.promptId));
      expect(await lastValueFrom(waiting.states)).toMatchObject({ phase: 'cancelled' });
      expect(await lastValueFrom(client.follow(waiting.promptId))).toMatchObject({ phase: 'cancelled' });
      await toPromise(client.cancel(running.promptId));
    },
  );

  it('M16: repeats a cancellation that had no effect until the job has ended', async () => {
    const { emulator, newClient } = await local('0.26');
    const client = newClient({}, hurried);
    const job = await submit(client, slow());
    await reaches(job, 'in_progress');
    emulator.answerOnce('POST', `/api/jobs/${job.promptId}/cancel`, {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"cancelled": true}',
    });
    await toPromise(job.cancel());
    expect(await lastValueFrom(job.states)).toMatchObject({ phase: 'cancelled' });
    const cancels = routes(emulator).filter((route) => route.endsWith('/cancel'));
    expect(cancels).toHaveLength(2);
  });

  it("M16: sends one request where a subscriber of `onUnsubscribe: 'cancel'` leaves", async () => {
    const { emulator, newClient } = await local('0.26');
    const client = newClient({}, hurried);
    const subscription = client.run(slow(), { onUnsubscribe: 'cancel' }).subscribe();
    const becomes = async (state: string): Promise<void> => {
      while (emulator.ledger.jobs[0]?.state !== state) await new Promise(setImmediate);
    };
    await becomes('in_progress');
    subscription.unsubscribe();
    await becomes('cancelled');
    expect(routes(emulator).filter((route) => route.endsWith('/cancel'))).toHaveLength(1);
  });

  it.each([
    ['local', { dialect: 'local', engine: '0.26' }],
    ['local, before 0.26', { dialect: 'local', engine: '0.9' }],
    ['cloud', { profile: '2026-11' }],
    ['cloud, without a jobs API', { switches: { jobsApi: 'none' } }],
    ['v2', { dialect: 'v2' }],
  ] as const)('M16: cancels many jobs: %s', async (_, options) => {
    const { emulator, client } = await emulated(options, {
      dialect: 'dialect' in options ? options.dialect : 'cloud',
    });
    const jobs = [await submit(client, slow()), await submit(client, slow()), await submit(client, slow())];
    const ids = jobs.map(({ promptId }) => promptId);
    await toPromise(client.cancelAll([...ids, ...ids]));
    for (const job of jobs) expect((await lastValueFrom(job.states)).phase).toBe('cancelled');
    expect(emulator.ledger.jobs.map(({ state }) => ['cancelled', 'deleted'].includes(state))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('M16: cancels a hundred jobs of a cloud service at a time, as it takes no more', async () => {
    const { emulator, newClient } = await emulated({ profile: '2026-11' });
    const sizes: number[] = [];
    const client = newClient({}, (platform) => ({
      request: (request) => {
        if (request.json !== undefined)
          sizes.push((JSON.parse(request.json) as { job_ids: string[] }).job_ids.length);
        return platform.request(request);
      },
    }));
    const ids = Array.from(
      { length: 150 },
      (_, at) => `11111111-1111-4111-8111-${String(at).padStart(12, '0')}`,
    );
    for (let call = 0; call < 2; call += 1)
      emulator.answerOnce('POST', '/api/jobs/cancel', {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"cancelled":[]}',
      });
    await toPromise(client.cancelAll(ids));
    expect(sizes).toEqual([100, 50]);
  });

  it('M16: cancels the others where a cloud service does not know one of many', async () => {
    const { client } = await emulated({ profile: '2026-11' });
    const jobs = [await submit(client, slow()), await submit(client, slow())];
    const unknown = '11111111-1111-4111-8111-111111111111';
    const ids = [unknown, ...jobs.map(({ promptId }) => promptId)];
    expect(await refusal(client.cancelAll(ids))).toMatchObject({ _tag: 'NotFound', promptId: unknown });
    for (const job of jobs) expect((await lastValueFrom(job.states)).phase).toBe('cancelled');
  });
});

describe('client.jobs', () => {
  const listing = async (options: EmulatorOptions, dialect: 'local' | 'cloud' | 'v2') => {
    const { emulator, client } = await emulated({ speed: Infinity, ...options }, { dialect });
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const job = await submit(
        client,
        picture(index + 1),
        dialect === 'v2' ? { labels: { of: String(index % 2) } } : {},
      );
      await lastValueFrom(job.states);
      ids.push(job.promptId);
    }
    return { emulator, client, ids: ids.toReversed() };
  };

  it.each([
    ['local', { dialect: 'local', engine: '0.6' }],
    ['cloud', { profile: '2026-11' }],
    ['v2', { dialect: 'v2', profile: '2026-11' }],
  ] as const)('lists the jobs of a server page by page, the newest first: %s', async (dialect, options) => {
    const { client, ids } = await listing(options, dialect);
    const jobs = await lastValueFrom(client.jobs({ pageSize: 2 }).pipe(toArray()));
    expect(jobs.map(({ promptId }) => promptId)).toEqual(ids);
    expect(jobs.every(({ phase, queuedAt }) => phase === 'completed' && queuedAt !== undefined)).toBe(true);
    const none = await lastValueFrom(client.jobs({ status: ['failed', 'pending'] }).pipe(toArray()));
    expect(none).toEqual([]);
  });

  it('asks for the next page when an iteration needs it', async () => {
    const { emulator, client, ids } = await listing({ profile: '2026-11' }, 'cloud');
    const from = emulator.requests.length;
    const seen: string[] = [];
    for await (const { promptId } of client.jobs({ pageSize: 2 })) {
      seen.push(promptId);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(ids.slice(0, 3));
    expect(routes(emulator, from)).toEqual(['GET /api/jobs', 'GET /api/jobs']);
  });

  it('lists the jobs of a label in API v2', async () => {
    const { client, ids } = await listing({ dialect: 'v2', profile: '2026-11' }, 'v2');
    const jobs = await lastValueFrom(client.jobs({ labels: { of: '1' } }).pipe(toArray()));
    expect(jobs.map(({ promptId, labels }) => [promptId, labels])).toEqual([
      [ids[1], { of: '1' }],
      [ids[3], { of: '1' }],
    ]);
  });

  it.each([
    ['an engine without a list', { dialect: 'local' }, 'local', {}],
    ['a service of the interface document', {}, 'cloud', {}],
    ['API v2 without a list', { dialect: 'v2' }, 'v2', {}],
    ['labels of a cloud service', { profile: '2026-11' }, 'cloud', { labels: { a: 'b' } }],
    ['a workflow of API v2', { dialect: 'v2', profile: '2026-11' }, 'v2', { workflowId: 'w' }],
  ] as const)('is NotSupported for %s', async (_, options, dialect, query) => {
    const { client } = await emulated(options, { dialect });
    await expect(lastValueFrom(client.jobs(query))).rejects.toMatchObject({ _tag: 'NotSupported' });
  });

  it('refuses a list that leads back to a page that was read', async () => {
    const { emulator, client } = await emulated({ profile: '2026-11' });
    for (let page = 0; page < 2; page += 1)
      emulator.answerOnce('GET', '/api/jobs', {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"jobs":[],"pagination":{"next_cursor":"x"}}',
      });
    await expect(lastValueFrom(client.jobs())).rejects.toMatchObject({ _tag: 'ProtocolChanged' });
  });
});

describe('client.delete', () => {
  const ended = async (options: EmulatorOptions, dialect: 'local' | 'cloud' | 'v2') => {
    const { emulator, client } = await emulated({ speed: Infinity, ...options }, { dialect });
    const job = await submit(client, picture());
    const [file] = outputFiles((await lastValueFrom(job.states)).outputs);
    if (file === undefined) throw new Error('the job made no file');
    return { emulator, client, file, promptId: job.promptId };
  };

  it('deletes a job of the cloud with its files', async () => {
    const { client, file, promptId } = await ended({ profile: '2026-11' }, 'cloud');
    expect(await toPromise(client.delete(promptId))).toEqual({ record: true, files: 'deleted' });
    expect((await refusal(client.rest.jobDetail(promptId)))._tag).toBe('NotFound');
    expect((await refusal(client.rest.view(file)))._tag).toBe('DownloadFailed');
  });

  it('deletes no job of the cloud while another one takes its file, and is safe to repeat', async () => {
    const { client, file, promptId } = await ended({ profile: '2026-11', speed: 50 }, 'cloud');
    const taking = await submit(client, {
      1: { class_type: 'SlowNode', inputs: { steps: 100_000, anything: file.filename } },
    });
    expect(await refusal(client.delete(promptId))).toMatchObject({ _tag: 'UnexpectedStatus', status: 409 });
    expect(await toPromise(client.rest.jobDetail(promptId))).toMatchObject({ phase: 'completed' });
    await toPromise(client.cancel(taking.promptId));
    await lastValueFrom(taking.states);
    expect(await toPromise(client.delete(promptId))).toEqual({ record: true, files: 'deleted' });
    expect((await refusal(client.rest.jobDetail(promptId)))._tag).toBe('NotFound');
  });

  it('deletes one file of a job of the cloud', async () => {
    const { client, file, promptId } = await ended({ profile: '2026-11' }, 'cloud');
    expect((await refusal(client.delete(file)))._tag).toBe('NotSupported');
    expect(await toPromise(client.delete(file, { promptId }))).toEqual({ record: false, files: 'deleted' });
    expect((await refusal(client.delete(file, { promptId })))._tag).toBe('NotFound');
    expect((await toPromise(client.rest.jobDetail(promptId))).phase).toBe('completed');
  });

  it('deletes the record of a job of a local server, and says that its files stay', async () => {
    const { client, file, promptId } = await ended({ dialect: 'local', engine: '0.26' }, 'local');
    expect((await refusal(client.delete(file)))._tag).toBe('NotSupported');
    expect(await toPromise(client.delete(promptId))).toEqual({ record: true, files: 'kept' });
    expect((await refusal(client.rest.history(promptId)))._tag).toBe('NotFound');
  });

  it('deletes a file of API v2, and no job', async () => {
    const { client, file, promptId } = await ended({ dialect: 'v2' }, 'v2');
    expect((await refusal(client.delete(promptId)))._tag).toBe('NotSupported');
    expect(await toPromise(client.delete(file))).toEqual({ record: false, files: 'deleted' });
    expect((await refusal(client.delete(file)))._tag).toBe('NotFound');
  });

  it('deletes no job that has not ended, and none of a service without that route', async () => {
    const { client } = await emulated({ profile: '2026-11' });
    const running = await submit(client, slow());
    expect((await refusal(client.delete(running.promptId)))._tag).toBe('NotSupported');
    for (const jobsApi of ['one', 'none'] as const) {
      const older = await ended({ switches: { jobsApi } }, 'cloud');
      expect((await refusal(older.client.delete(older.promptId)))._tag).toBe('NotSupported');
    }
  });
});

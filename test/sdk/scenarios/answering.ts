import assert from 'node:assert/strict';
import { Unauthorized } from '@comfyorg/sdk';
import { openEvents, allEvents } from '../events.js';
import { ask, type Raw, rejection, sdkOf } from '../players.js';
import { picture } from '../pictures.js';
import type { Scenario } from '../scenario.js';

/** Keys, reads of their own, errors: 48 to 52. */
export const answering: readonly Scenario[] = [
  {
    number: 48,
    title: 'no key configured: everything works without; else a missing or wrong one is 401 everywhere',
    by: 'sdk and fetch',
    play: async (target) => {
      const { comfy } = sdkOf(target);
      const job = await comfy.run(comfy.workflows.fromJson(target.graphs.picture()));
      for (const key of [null, 'comfyui-wrong', '']) {
        for (const [method, path] of operations(job.id, job.outputs[0]!.id)) {
          const answer = await ask(target, method, path, { key, ...(method === 'POST' ? { body: {} } : {}) });
          assert.equal(answer.status, 401, `${method} ${path} with ${String(key)}`);
          if (method !== 'HEAD') assert.equal(answer.code(), 'unauthorized');
        }
      }
      const wrong = sdkOf({ ...target, apiKey: 'comfyui-wrong' }).comfy;
      await rejection(Unauthorized, () => wrong.submit(wrong.workflows.fromJson(target.graphs.picture())));
      await using open = await target.fresh({ anonymous: true });
      const { comfy: anonymous, calls } = sdkOf({ ...open, apiKey: undefined });
      const asset = anonymous.assets.fromBytes(new Uint8Array([1, 2, 3]), { filename: 'three.bin' });
      await asset.commit();
      const run = await anonymous.run(anonymous.workflows.fromJson(open.graphs.picture()));
      await using stream = await openEvents({ ...open, apiKey: undefined }, run.id);
      assert.equal((await allEvents(stream)).at(-1)?.data['status'], 'succeeded');
      assert.ok((await run.outputs[0]!.toBytes()).length > 0);
      assert.ok(calls.every(({ headers }) => !headers.has('authorization')));
    },
  },
  {
    number: 49,
    title: 'getWorkflow returns the submitted graph, format api, references intact',
    by: 'sdk',
    play: async (target) => {
      const { comfy } = sdkOf(target);
      const asset = comfy.assets.fromBytes(picture(), { filename: 'cat.png' });
      const reference = await asset.asReference();
      const graph = target.graphs.loading(reference);
      const job = await comfy.submit(comfy.workflows.fromJson(graph), { apiKey: 'comfyui-partner' });
      assert.deepEqual(await job.getWorkflow(), { workflow: graph, format: 'api' });
    },
  },
  {
    number: 50,
    title: 'logs: no urls.logs and 204, or a log',
    by: 'fetch',
    play: async (target) => {
      const { comfy } = sdkOf(target);
      const job = await comfy.run(comfy.workflows.fromJson(target.graphs.picture()));
      const { urls } = (await ask(target, 'GET', `/jobs/${job.id}`)).json() as {
        readonly urls: { readonly logs?: string };
      };
      const logs = await ask(target, 'GET', `/jobs/${job.id}/logs`);
      if (urls.logs === undefined || urls.logs === '') assert.deepEqual([logs.status, logs.text], [204, '']);
      else assert.ok(logs.status === 200 && typeof logs.json()['text'] === 'string');
    },
  },
  {
    number: 51,
    title: 'two pages of jobs with a label as filter, or 501; metadata is stored, or refused with 422',
    by: 'fetch',
    play: async (target) => {
      const body = (label: string) => ({ workflow: target.graphs.picture(), metadata: { label } });
      const [list, labelled] = [
        await ask(target, 'GET', '/jobs'),
        await ask(target, 'POST', '/jobs', { body: body('a') }),
      ];
      if (list.status !== 200) assert.deepEqual([list.status, list.code()], [501, 'not_implemented']);
      if (labelled.status !== 201)
        assert.deepEqual([labelled.status, labelled.code()], [422, 'metadata_not_supported']);
      await using own = await target.fresh({ lists: true });
      const ids: string[] = [];
      for (const label of ['a', 'b', 'a', 'a']) {
        const { id, metadata } = (await ask(own, 'POST', '/jobs', { body: body(label) })).json();
        assert.deepEqual(metadata, { label });
        if (label === 'a') ids.unshift(String(id));
      }
      const first = (await ask(own, 'GET', '/jobs?limit=2&metadata%5Blabel%5D=a')).json() as unknown as Page;
      assert.equal(first.jobs.length, 2);
      const query = `limit=2&metadata%5Blabel%5D=a&cursor=${encodeURIComponent(first.next_cursor!)}`;
      const second = (await ask(own, 'GET', `/jobs?${query}`)).json() as unknown as Page;
      assert.equal(second.next_cursor, undefined);
      const jobs = [...first.jobs, ...second.jobs];
      assert.deepEqual(
        jobs.map(({ id }) => id),
        ids,
      );
      for (const item of jobs) {
        for (const member of ['id', 'status', 'create_time', 'update_time'])
          assert.equal(typeof item[member], 'string', member);
        assert.deepEqual(item['metadata'], { label: 'a' });
      }
    },
  },
  {
    number: 52,
    title:
      'every error body is the envelope, also of routes and methods that are not there, and of crashes; HEAD has none',
    by: 'fetch',
    needs: ['engineDown'],
    play: async (target) => {
      const refusals: readonly (readonly [method: string, path: string, body?: unknown])[] = [
        ['GET', '/nothing/here'],
        ['GET', '/'],
        ['PUT', '/jobs', {}],
        ['DELETE', `/jobs/${unknownId}`],
        ['POST', '/jobs', 'no json'],
        ['POST', '/jobs', '[]'],
        ['POST', '/jobs', '{}'],
        ['POST', '/jobs', { workflow: 7 }],
        ['POST', '/assets', {}],
        ['POST', '/assets', new FormData()],
        ['POST', '/assets/from-hash', {}],
        ['POST', '/assets/from-hash', 'no json'],
        ['GET', `/jobs/${unknownId}/events`],
        ['GET', `/jobs/${unknownId}/workflow`],
        ['GET', `/jobs/${unknownId}/logs`],
        ['POST', `/jobs/${unknownId}/cancel`],
        ['GET', `/assets/${unknownId}`],
        ['GET', `/assets/${unknownId}/content`],
        ['DELETE', `/assets/${unknownId}`],
        ['GET', '/jobs/%E0%A4%A'],
      ];
      for (const [method, path, body] of refusals) {
        const answer = await ask(target, method, path, { body });
        assert.ok(answer.status >= 400 && answer.status < 500, `${method} ${path}: ${answer.status}`);
        isEnvelope(answer, `${method} ${path}`);
      }
      const outside = await ask({ ...target, baseUrl: `${target.baseUrl}/elsewhere` }, 'GET', '/jobs');
      assert.equal(outside.status, 404);
      isEnvelope(outside, 'a path outside of the API');
      const head = await ask(target, 'HEAD', `/assets/by-hash/blake3:${'0'.repeat(64)}`);
      assert.deepEqual([head.status, head.text], [404, '']);
      const empty = await ask(target, 'POST', '/jobs', {
        body: { workflow: target.graphs.picture() },
        headers: { 'idempotency-key': '' },
      });
      assert.equal(empty.status, 400);
      isEnvelope(empty, 'an empty key');
      const { bringBack, extraData } = target.engineDown!('at submission');
      const body = { workflow: target.graphs.picture(), ...(extraData && { extra_data: extraData }) };
      const crash = await ask(target, 'POST', '/jobs', { body });
      bringBack();
      assert.ok(crash.status === 500 || crash.status === 503);
      isEnvelope(crash, 'a crash');
    },
  },
];

interface Page {
  readonly jobs: readonly Record<string, unknown>[];
  readonly next_cursor?: string;
}

const unknownId = '00000000-0000-4000-8000-000000000000';

const isEnvelope = (answer: Raw, what: string): void => {
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/u, what);
  assert.match(answer.code(), /^[a-z0-9_]+$/u, what);
  assert.equal(typeof (answer.json()['error'] as { readonly message?: unknown }).message, 'string', what);
};

const operations = (jobId: string, assetId: string): readonly (readonly [method: string, path: string])[] => [
  ['POST', '/jobs'],
  ['GET', '/jobs'],
  ['GET', `/jobs/${jobId}`],
  ['GET', `/jobs/${jobId}/events`],
  ['GET', `/jobs/${jobId}/workflow`],
  ['GET', `/jobs/${jobId}/logs`],
  ['POST', `/jobs/${jobId}/cancel`],
  ['POST', '/assets'],
  ['POST', '/assets/from-hash'],
  ['HEAD', `/assets/by-hash/blake3:${'0'.repeat(64)}`],
  ['GET', `/assets/${assetId}`],
  ['GET', `/assets/${assetId}/content`],
  ['DELETE', `/assets/${assetId}`],
];

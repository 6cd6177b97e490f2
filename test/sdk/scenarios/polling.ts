import assert from 'node:assert/strict';
import { JobFailed, NotFound } from '@comfyorg/sdk';
import { finalStatuses } from '../events.js';
import { ask, eventually, rejection, sdkOf } from '../players.js';
import { relayTo } from '../relay.js';
import type { Scenario } from '../scenario.js';

/** Polling and links, 12 to 18. */
export const polling: readonly Scenario[] = [
  {
    number: 12,
    title: 'the engine fails while a job is polled: 200 with the last known state',
    by: 'sdk',
    needs: ['engineDown'],
    play: async (target) => {
      const { comfy, low, callsOf } = sdkOf(target);
      const { bringBack, ...down } = target.engineDown!('while it runs');
      const { id } = await low.postJobs(target.graphs.lasting(300), down);
      const job = await comfy.jobs.get(id);
      for (let poll = 0; poll < 5; poll += 1) await job.refresh();
      bringBack();
      await job.wait();
      assert.ok(finalStatuses.includes(job.status), `it ended: ${job.status}`);
      assert.ok(callsOf('GET /jobs/{id}').every(({ status }) => status === 200));
    },
  },
  {
    number: 13,
    title: 'no limit of requests hits the poll of a job',
    by: 'sdk',
    play: async (target) => {
      const { comfy, callsOf } = sdkOf(target);
      const job = await comfy.submit(comfy.workflows.fromJson(target.graphs.picture()));
      for (let burst = 0; burst < 6; burst += 1)
        await Promise.all(Array.from({ length: 8 }, () => job.refresh()));
      assert.deepEqual([...new Set(callsOf('GET /jobs/{id}').map(({ status }) => status))], [200]);
    },
  },
  {
    number: 14,
    title: 'links work at the root, below a path, and behind a proxy with another host',
    by: 'sdk',
    play: async (target) => {
      await using mounted = await target.fresh({ mount: '/deployment/x' });
      await using relay = await relayTo(target.baseUrl);
      const bases = [target, { ...target, baseUrl: relay.baseUrl }, mounted];
      for (const base of bases) {
        const { comfy, calls } = sdkOf(base);
        const job = await comfy.submit(comfy.workflows.fromJson(target.graphs.lasting(20)));
        for await (const { kind } of job.events()) assert.notEqual(kind, 'log');
        await job.refresh();
        await job.cancel();
        assert.equal(job.status, 'succeeded');
        assert.deepEqual(
          calls.map(({ status }) => status),
          [201, 200, 200, 200],
        );
        for (const { url } of calls)
          assert.ok(url.startsWith(`${base.baseUrl}/api/v2/`), `${url} is below ${base.baseUrl}`);
      }
    },
  },
  {
    number: 15,
    title: 'Output.url is absolute and on the origin that the client used',
    by: 'sdk and fetch',
    play: async (target) => {
      await using relay = await relayTo(target.baseUrl);
      for (const baseUrl of [target.baseUrl, relay.baseUrl]) {
        const { comfy } = sdkOf({ ...target, baseUrl });
        const job = await comfy.run(comfy.workflows.fromJson(target.graphs.picture()));
        const { outputs } = (await ask(target, 'GET', `/jobs/${job.id}`)).json() as {
          readonly outputs: readonly { readonly id: string }[];
        };
        const answer = await fetch(`${baseUrl}/api/v2/jobs/${job.id}`, { headers: keyOf(target.apiKey) });
        const own = (await answer.json()) as { readonly outputs: readonly { readonly url: string }[] };
        assert.equal(own.outputs.length, outputs.length);
        for (const { url } of own.outputs) {
          assert.equal(new URL(url).origin, new URL(baseUrl).origin);
          assert.equal((await fetch(url, { headers: keyOf(target.apiKey) })).status, 200);
        }
      }
    },
  },
  {
    number: 16,
    title: 'a failed node: JobFailed with code, node_id, class_type and traceback',
    by: 'sdk',
    play: async (target) => {
      const { comfy } = sdkOf(target);
      const graph = comfy.workflows.fromJson(target.graphs.failing());
      const { error } = (await rejection(JobFailed, () => comfy.run(graph))) as { error?: unknown };
      const {
        code,
        message,
        node_id: nodeId,
        class_type: classType,
        traceback,
      } = error as Record<string, unknown>;
      assert.equal(nodeId, 'fail');
      for (const text of [code, message, classType, traceback])
        assert.ok(typeof text === 'string' && text !== '', `a text: ${String(text)}`);
    },
  },
  {
    number: 17,
    title: "an unknown id and another account's: 404 job_not_found, the same",
    by: 'sdk',
    play: async (target) => {
      const { comfy } = sdkOf(target);
      const unknown = await rejection(NotFound, () => comfy.jobs.get('00000000-0000-4000-8000-000000000000'));
      assert.equal(unknown.code, 'job_not_found');
      if (target.strangerKey === undefined) return;
      const job = await comfy.submit(comfy.workflows.fromJson(target.graphs.picture()));
      const stranger = sdkOf({ ...target, apiKey: target.strangerKey });
      const foreign = await rejection(NotFound, () => stranger.comfy.jobs.get(job.id));
      assert.deepEqual([foreign.code, foreign.httpStatus], [unknown.code, 404]);
    },
  },
  {
    number: 18,
    title: 'a final status stays; outputs is a list, urls an object, error there and null',
    by: 'fetch',
    play: async (target) => {
      const submitted = await ask(target, 'POST', '/jobs', { body: { workflow: target.graphs.picture() } });
      const { id } = submitted.json();
      const seen = await eventually('the end', async () => {
        const job = (await ask(target, 'GET', `/jobs/${String(id)}`)).json();
        assert.ok(Array.isArray(job['outputs']) && typeof job['urls'] === 'object');
        assert.equal(job['error'], null);
        return finalStatuses.includes(String(job['status'])) ? job : undefined;
      });
      for (let poll = 0; poll < 5; poll += 1) {
        const { text, json } = await ask(target, 'GET', `/jobs/${String(id)}`);
        assert.equal(json()['status'], seen['status'], text);
        assert.deepEqual(Object.keys(json()).sort(), Object.keys(seen).sort());
      }
    },
  },
];

const keyOf = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };

import assert from 'node:assert/strict';
import { ask } from '../../sdk/players.js';
import { isObject } from '../../../src/testing/conformance/shape.js';
import { expectError, jobOf, outputsOf, pictureRun, submit, unknownId } from './runs.js';
import type { V2Case } from './v2-case.js';

/** 12.1 and 12.2: addresses, keys, links and errors. */
export const accountCases: readonly V2Case[] = [
  {
    id: 'V.1.1',
    title: 'operations lie below /api/v2 of the base, which may have a path',
    run: async (target) => {
      await using mounted = await target.fresh({ mount: '/deployment/x' });
      for (const server of [target, mounted]) {
        expectError(await ask(server, 'GET', `/jobs/${unknownId}`), 404, 'job_not_found', 'not_found');
        await submit(server, server.graphs.picture());
      }
    },
  },
  {
    id: 'V.1.2',
    title: 'a request with the key is answered on behalf of the account',
    run: async (target) => {
      assert.equal((await ask(target, 'GET', `/jobs/${(await pictureRun(target)).id}`)).status, 200);
    },
  },
  {
    id: 'V.1.3',
    title: 'without a key or with an unknown one: 401 unauthorized, before a stream, too',
    run: async (target) => {
      const { id } = await pictureRun(target);
      for (const key of [null, 'comfyui-unknown'])
        for (const path of [`/jobs/${id}`, `/jobs/${id}/events`, `/jobs/${id}/workflow`])
          expectError(await ask(target, 'GET', path, { key }), 401, 'unauthorized');
    },
  },
  {
    id: 'V.1.4',
    title: 'links are absolute, or begin with a slash and contain the mount',
    run: async (target) => {
      await using mounted = await target.fresh({ mount: '/deployment/x' });
      const { job } = await pictureRun(mounted);
      for (const link of Object.values(job['urls'] as Record<string, string>)) {
        assert.match(link, /^(https?:|\/)/u);
        const { pathname, origin } = new URL(link, mounted.baseUrl);
        assert.equal(origin, new URL(mounted.baseUrl).origin);
        assert.ok(pathname.startsWith('/deployment/x/api/v2/jobs/'), link);
      }
    },
  },
  {
    id: 'V.1.5',
    title: 'addresses of outputs are absolute',
    run: async (target) => {
      for (const { url } of outputsOf((await pictureRun(target)).job))
        assert.match(String(url), /^https?:\/\//u);
    },
  },
  {
    id: 'V.2.1',
    title: 'an error has a code in snake case, a message, and details or none',
    run: async (target) => {
      const answers = [
        await ask(target, 'GET', `/jobs/${unknownId}`),
        await ask(target, 'GET', `/assets/${unknownId}`),
        await ask(target, 'POST', '/jobs', { body: { workflow: target.graphs.invalid() } }),
      ];
      for (const answer of answers) {
        assert.match(answer.code(), /^[a-z][a-z0-9_]*$/u);
        const { message, details } = answer.json()['error'] as Record<string, unknown>;
        assert.equal(typeof message, 'string');
        assert.ok(details === undefined || details === null || isObject(details));
      }
    },
  },
  {
    id: 'V.2.2',
    title: 'so has the answer to a path or method that is not there',
    run: async (target) => {
      for (const [method, path] of [
        ['GET', '/nothing'],
        ['PUT', '/jobs'],
        ['DELETE', '/jobs'],
      ] as const) {
        const answer = await ask(target, method, path);
        assert.ok(answer.status === 404 || answer.status === 405);
        assert.notEqual(answer.code(), '');
      }
    },
  },
  {
    id: 'V.2.3',
    title: 'a refused HEAD has no body',
    run: async (target) => {
      const answer = await ask(target, 'HEAD', `/assets/by-hash/blake3:${'0'.repeat(64)}`);
      assert.deepEqual([answer.status, answer.bytes.length], [404, 0]);
    },
  },
  {
    id: 'V.2.4',
    title: '429 has Retry-After in whole seconds',
    run: async (target) => {
      await using starting = await target.fresh({ notReadyMs: 60_000 });
      const answer = await ask(starting, 'POST', '/jobs', { body: { workflow: target.graphs.picture() } });
      expectError(answer, 429, 'deployment_not_ready');
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/u);
      assert.equal(starting.jobs().length, 0);
      await jobOf(target, (await pictureRun(target)).id);
    },
  },
];

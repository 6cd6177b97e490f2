import assert from 'node:assert/strict';
import { count, list, object, text } from '../shape.js';
import { expectError, v2 } from './v2-api.js';
import { expectJob, expectProgress, finalStatuses } from './v2-documents.js';
import { labels, secondRun } from './v2-second-run.js';
import { outputsOf, runOf } from './v2-run.js';
import type { ConformanceCase } from '../conformance-case.js';

/** Sections 12.1 and 12.3 to 12.6: what two small jobs show. */
export const v2JobCases: readonly ConformanceCase[] = [
  {
    id: 'V.1.4',
    title: 'links are absolute, or begin with /',
    run: async (target) => {
      for (const link of Object.values(object((await runOf(target)).job['urls'], 'urls')))
        assert.ok(text(link, 'a link').startsWith('/') || URL.canParse(String(link)), String(link));
    },
  },
  {
    id: 'V.1.5',
    title: 'url of an output is absolute',
    run: async (target) => {
      for (const { url } of await outputsOf(target)) assert.ok(URL.canParse(text(url, 'url')), String(url));
    },
  },
  {
    id: 'V.3.2',
    title: 'a job is found from its submission on',
    run: async (target) => {
      const { looks } = await runOf(target);
      assert.deepEqual([...new Set(looks.map(({ status }) => status))], [200]);
    },
  },
  {
    id: 'V.3.3',
    title: 'each 201 is a new job',
    run: async (target) => {
      assert.notEqual((await secondRun(target)).id, (await runOf(target)).id);
    },
  },
  {
    id: 'V.3.12',
    title: 'metadata comes back, or is refused with 422 metadata_not_supported',
    run: async (target) => {
      const { labelled } = await secondRun(target);
      if (labelled.status === 201) assert.deepEqual(object(labelled.json(), 'the job')['metadata'], labels);
      else expectError(labelled, 422, 'metadata_not_supported');
    },
  },
  {
    id: 'V.3.13',
    title: 'extra_data comes back nowhere',
    run: async (target) => {
      const { told, secret } = await secondRun(target);
      for (const { bytes } of told) assert.ok(!bytes.toString().includes(secret), 'an answer shows it');
    },
  },
  {
    id: 'V.4.1',
    title: 'a used key: 422 idempotency_key_reuse',
    run: async (target) => {
      expectError((await secondRun(target)).again, 422, 'idempotency_key_reuse');
    },
  },
  {
    id: 'V.4.2',
    title: 'a definite refusal releases the key',
    run: async (target) => {
      const { refused, isReleased } = await secondRun(target);
      assert.equal(refused.status, 422);
      assert.ok(isReleased, 'the key of a refused request is good again');
    },
  },
  {
    id: 'V.5.1',
    title: 'a Job and its outputs have their members',
    run: async (target) => {
      const { submission, job } = await runOf(target);
      for (const one of [submission, job]) expectJob(one);
      await outputsOf(target);
    },
  },
  {
    id: 'V.5.3',
    title: 'queue_position is an integer or null, and null once the job is not queued',
    run: async (target) => {
      for (const look of (await runOf(target)).looks) {
        const { status, queue_position: position } = object(look.json(), 'the job');
        if (position !== null) count(position, 'queue_position');
        assert.ok(position === null || status === 'queued', `a job that is ${String(status)} has none`);
      }
    },
  },
  {
    id: 'V.5.4',
    title: 'progress is a number from 0 to 1 with counts of nodes',
    run: async (target) => {
      for (const look of (await runOf(target)).looks) {
        const { progress } = object(look.json(), 'the job');
        if (progress !== null) expectProgress(progress);
      }
    },
  },
  {
    id: 'V.5.5',
    title: 'an output is of one of six types',
    run: async (target) => {
      for (const { type } of await outputsOf(target))
        assert.ok(['image', 'video', 'audio', 'text', 'file', 'latent'].includes(String(type)), String(type));
    },
  },
  {
    id: 'V.5.10',
    title: 'logs: 200 with a text, or 204',
    run: async (target) => {
      const answer = await v2(target, 'GET', `/jobs/${(await runOf(target)).id}/logs`);
      if (answer.status === 204) return;
      assert.equal(answer.status, 200);
      const log = object(answer.json(), 'the logs');
      assert.deepEqual(
        ['text', 'captured_at', 'truncated', 'complete'].map((name) => typeof log[name]),
        ['string', 'string', 'boolean', 'boolean'],
      );
    },
  },
  {
    id: 'V.6.1',
    title: 'a cancel is answered 200 with the Job: canceling, or final',
    run: async (target) => {
      const { cancelled } = await secondRun(target);
      assert.equal(cancelled.status, 200);
      const { status } = expectJob(cancelled.json());
      assert.ok(['canceling', ...finalStatuses].includes(String(status)), String(status));
    },
  },
  {
    id: 'V.6.4',
    title: 'a final job comes back unchanged from a cancel',
    run: async (target) => {
      const { id, job } = await runOf(target);
      const answer = await v2(target, 'POST', `/jobs/${id}/cancel`);
      assert.equal(answer.status, 200);
      const after = object(answer.json(), 'the job');
      assert.equal(after['status'], job['status']);
      assert.equal(list(after['outputs'], 'outputs').length, (await outputsOf(target)).length);
    },
  },
];

import assert from 'node:assert/strict';
import type { ConformanceCase } from '../conformance-case.js';
import { errorOf, expectError, unknownId, v2 } from './v2-api.js';
import { filledText, list, object, text } from '../shape.js';
import { runOf } from './v2-run.js';
import { statuses } from './v2-documents.js';
import { v2AssetCases } from './v2-asset-cases.js';
import { v2ContentCases } from './v2-content-cases.js';
import { v2EventCases } from './v2-event-cases.js';
import { v2JobCases } from './v2-job-cases.js';
import { v2NotChecked } from './v2-not-checked.js';
import { v2RefusalCases } from './v2-refusal-cases.js';

/** Chapter 12: API v2. What reads comes first, then what is refused, then small jobs and files. */
export const v2Cases: readonly ConformanceCase[] = [
  {
    id: 'V.1.2',
    title: 'a request with the key is answered on behalf of the account',
    run: async (target) => {
      const { status } = await v2(target, 'GET', '/jobs');
      assert.ok(status === 200 || status === 501, `GET /jobs answers ${status}`);
    },
  },
  {
    id: 'V.1.3',
    title: 'without a key or with an unknown one: 401 unauthorized',
    run: async (target) => {
      for (const key of [null, 'no-such-key'])
        for (const path of [`/jobs/${unknownId}`, `/jobs/${unknownId}/events`])
          expectError(await v2(target, 'GET', path, { key }), 401, 'unauthorized');
    },
  },
  {
    id: 'V.2.1',
    title: 'an error is a code and a message',
    run: async (target) => {
      const error = errorOf(await v2(target, 'GET', `/jobs/${unknownId}`));
      assert.match(text(error['code'], 'code'), /^[a-z][a-z0-9_]*$/u);
      filledText(error['message'], 'message');
    },
  },
  {
    id: 'V.2.3',
    title: 'a refused HEAD has no body',
    run: async (target) => {
      const { status, bytes } = await v2(target, 'HEAD', `/assets/by-hash/blake3:${'0'.repeat(64)}`);
      assert.ok(status >= 400, `it answers ${status}`);
      assert.equal(bytes.length, 0);
    },
  },
  {
    id: 'V.5.7',
    title: 'an unknown job is 404',
    run: async (target) => {
      expectError(await v2(target, 'GET', `/jobs/${unknownId}`), 404, 'job_not_found', 'not_found');
    },
  },
  {
    id: 'V.5.11',
    title: 'the list of jobs, or 501',
    run: async (target) => {
      const answer = await v2(target, 'GET', '/jobs');
      if (answer.status === 501) expectError(answer, 501, 'not_implemented');
      else {
        assert.equal(answer.status, 200);
        list(object(answer.json(), 'the list')['jobs'], 'jobs');
      }
    },
  },
  {
    id: 'V.7.7',
    title: 'events of an unknown job are 404, or 501 of a server without streams',
    run: async (target) => {
      const { status } = await v2(target, 'GET', `/jobs/${unknownId}/events`);
      assert.ok(status === 404 || status === 501, `it answers ${status}`);
    },
  },
  {
    id: 'V.6.5',
    title: 'cancelling an unknown job is 404',
    run: async (target) => {
      assert.equal((await v2(target, 'POST', `/jobs/${unknownId}/cancel`)).status, 404);
    },
  },
  {
    id: 'V.3.8',
    title: 'a body without a workflow is refused',
    run: async (target) => {
      for (const body of [{}, { workflow: 1 }, []]) {
        const { status } = await v2(target, 'POST', '/jobs', { body });
        assert.ok(status === 400 || status === 422, `it answers ${status}`);
      }
    },
  },
  {
    id: 'V.3.1',
    title: 'a good workflow is 201 with a job',
    run: async (target) => {
      const { submission } = await runOf(target);
      filledText(submission['id'], 'id');
      assert.ok(statuses.includes(text(submission['status'], 'status')), String(submission['status']));
    },
  },
  {
    id: 'V.5.2',
    title: 'a good job ends succeeded',
    run: async (target) => {
      const { job } = await runOf(target);
      assert.equal(job['status'], 'succeeded');
    },
  },
  {
    id: 'V.5.8',
    title: 'times are ISO 8601 in UTC',
    run: async (target) => {
      const { job } = await runOf(target);
      assert.match(text(job['created_at'], 'created_at'), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u);
    },
  },
  {
    id: 'V.5.9',
    title: 'the submitted workflow comes back',
    run: async (target) => {
      const { job } = await runOf(target);
      const answer = object((await v2(target, 'GET', `/jobs/${String(job['id'])}/workflow`)).json(), 'it');
      assert.equal(answer['format'], 'api');
      object(object(answer['workflow'], 'workflow')['save'], 'the node save');
    },
  },
  ...v2RefusalCases,
  ...v2JobCases,
  ...v2EventCases,
  ...v2AssetCases,
  ...v2ContentCases,
  ...v2NotChecked,
];

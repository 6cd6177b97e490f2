import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Answer } from '../answer.js';
import { api, expectStatus } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { finalStates, runToEnd, waitForEnd, waitForState, withLongJobs } from '../jobs.js';
import { count, filledText, flag, list, milliseconds, object, text, texts } from '../shape.js';
import { jobsAtOnce, type Target } from '../target.js';

const profiles = ['2026-11'] as const;

/** Chapter 2.13: the jobs API. */
export const jobsApiCases: readonly ConformanceCase[] = [
  {
    id: '2.13.1',
    profiles,
    title: 'lists the jobs of the account, the newest first, without workflows and outputs',
    run: async (target) => {
      const older = await runToEnd(target, target.workflows.picture());
      const newer = await runToEnd(target, target.workflows.picture());
      const { jobs } = await page(target);
      assert.deepEqual(idsOf(jobs).slice(0, 2), [newer.promptId, older.promptId]);
      for (const job of jobs) {
        assert.ok([...finalStates, 'pending', 'in_progress'].some((word) => word === job['status']));
        milliseconds(job['create_time'], 'create_time');
        assert.ok(!('workflow' in job) && !('outputs' in job), 'the list is slim');
      }
    },
  },
  {
    id: '2.13.2',
    profiles,
    title: 'pages by a cursor that the last page lacks',
    run: async (target) => {
      const promptIds: string[] = [];
      for (let job = 0; job < 3; job += 1)
        promptIds.push((await runToEnd(target, target.workflows.picture())).promptId);
      const first = await page(target, { limit: '2' });
      assert.equal(first.jobs.length, 2);
      const second = await page(target, { limit: '2', after: filledText(first.cursor, 'next_cursor') });
      assert.equal(idsOf(second.jobs)[0], promptIds[0]);
      const all = await page(target, { limit: '1000' });
      assert.ok(all.cursor === undefined || all.cursor === '', 'the last page has no cursor');
      await expectStatus(400, target, 'GET', '/api/jobs', { query: { after: 'nowhere' } });
      await expectStatus(400, target, 'GET', '/api/jobs', { query: { limit: '1001' } });
    },
  },
  {
    id: '2.13.3',
    profiles,
    title: 'narrows the list to statuses',
    run: async (target) => {
      const { promptId } = await runToEnd(target, target.workflows.picture());
      const { jobs } = await page(target, { status: 'completed' });
      assert.ok(idsOf(jobs).includes(promptId));
      assert.ok(jobs.every(({ status }) => status === 'completed'));
      await expectStatus(400, target, 'GET', '/api/jobs', { query: { status: 'finished' } });
    },
  },
  {
    id: '2.13.4',
    profiles,
    title: 'cancels one job, and says whether there was one to cancel',
    run: (target) =>
      withLongJobs(target, 1, async ([promptId = '']) => {
        await waitForState(target, promptId, 'in_progress');
        const cancel = (id: string) => api(target, 'POST', `/api/jobs/${id}/cancel`);
        assert.equal(flag(bodyOf(await cancel(promptId))['cancelled'], 'cancelled'), true);
        assert.equal(await waitForEnd(target, promptId), 'cancelled');
        assert.equal(flag(bodyOf(await cancel(promptId))['cancelled'], 'cancelled'), false);
        assert.equal((await cancel(randomUUID())).status, 404);
        assert.equal((await cancel('x')).status, 400);
      }),
  },
  {
    id: '2.13.5',
    profiles,
    title: 'cancels many jobs, or none where one is unknown',
    run: (target) =>
      withLongJobs(target, jobsAtOnce[target.tier] + 1, async (promptIds) => {
        const cancel = (job_ids: readonly string[]) =>
          api(target, 'POST', '/api/jobs/cancel', { body: { job_ids } });
        assert.equal((await cancel([...promptIds, randomUUID()])).status, 404);
        assert.equal((await cancel([])).status, 400);
        const answer = await cancel(promptIds);
        assert.deepEqual([...texts(bodyOf(answer)['cancelled'], 'cancelled')].sort(), [...promptIds].sort());
        for (const promptId of promptIds) assert.equal(await waitForEnd(target, promptId), 'cancelled');
      }),
  },
  {
    id: '2.13.6',
    profiles,
    title: 'shows why a job waits, and counts no outputs before its end',
    run: (target) =>
      withLongJobs(target, jobsAtOnce[target.tier] + 1, async (promptIds) => {
        const waiting = promptIds.at(-1) ?? '';
        await waitForState(target, promptIds[0] ?? '', 'in_progress');
        const job = bodyOf(await expectStatus(200, target, 'GET', `/api/jobs/${waiting}`));
        assert.ok(['concurrency_limit', 'capacity'].includes(text(job['queue_reason'], 'queue_reason')));
        assert.ok(!('outputs_count' in job), 'a job that waits has no count');
        milliseconds(job['update_time'], 'update_time');
      }),
  },
  {
    id: '2.13.7',
    profiles,
    title: 'lists the files of a job by the output that each of them is',
    run: async (target) => {
      const { promptId } = await runToEnd(target, target.workflows.picture());
      const answer = await expectStatus(200, target, 'GET', `/api/jobs/${promptId}/assets`);
      const { assets, pagination, job_id: jobId } = bodyOf(answer);
      assert.equal(jobId, promptId);
      const [asset] = list(assets, 'assets').map((each) => object(each, 'an asset'));
      assert.ok(asset, 'the job has made a file');
      for (const name of ['id', 'name', 'created_at', 'node_id', 'output_key']) filledText(asset[name], name);
      count(asset['output_index'], 'output_index');
      count(object(pagination, 'pagination')['total'], 'total');
    },
  },
  {
    id: '2.13.8',
    profiles,
    title: 'deletes a job that has ended, with its files, and no other',
    run: async (target) => {
      const remove = (id: string): Promise<Answer> => api(target, 'DELETE', `/api/jobs/${id}`);
      const { promptId } = await runToEnd(target, target.workflows.picture());
      assert.equal((await remove(promptId)).status, 204);
      await expectStatus(404, target, 'GET', `/api/jobs/${promptId}`);
      assert.equal((await remove(promptId)).status, 204);
      assert.equal((await remove(randomUUID())).status, 404);
      await withLongJobs(target, 1, async ([running = '']) => {
        assert.equal((await remove(running)).status, 204);
        await expectStatus(200, target, 'GET', `/api/jobs/${running}`);
      });
    },
  },
  {
    id: '2.13.9',
    profiles,
    title: 'tells the start of a job that runs in its detail, and no credential in its workflow',
    run: (target) =>
      withLongJobs(target, 1, async ([promptId = '']) => {
        await waitForState(target, promptId, 'in_progress');
        const answer = await expectStatus(200, target, 'GET', `/api/jobs/${promptId}`);
        const job = bodyOf(answer);
        milliseconds(job['execution_start_time'], 'execution_start_time');
        assert.ok(!answer.bytes.toString().includes(target.apiKey), 'no key stands there');
        if (job['workflow'] === undefined || job['workflow'] === null) return;
        const { prompt, extra_data: extra } = object(job['workflow'], 'workflow');
        object(prompt, 'workflow.prompt');
        object(extra, 'workflow.extra_data');
      }),
  },
];

const bodyOf = (answer: Answer): Record<string, unknown> => object(answer.json(), 'the answer');

const idsOf = (jobs: readonly Record<string, unknown>[]): readonly unknown[] => jobs.map(({ id }) => id);

const page = async (
  target: Target,
  query: Readonly<Record<string, string>> = {},
): Promise<{ readonly jobs: readonly Record<string, unknown>[]; readonly cursor: unknown }> => {
  const body = bodyOf(await expectStatus(200, target, 'GET', '/api/jobs', { query }));
  return {
    jobs: list(body['jobs'], 'jobs').map((job) => object(job, 'a job')),
    cursor: object(body['pagination'], 'pagination')['next_cursor'],
  };
};

import assert from 'node:assert/strict';
import { finalStatuses } from '../../sdk/events.js';
import { ask, eventually } from '../../sdk/players.js';
import { filledText, text } from '../../../src/testing/conformance/shape.js';
import { statuses } from './documents.js';
import { endOf, expectError, jobOf, outputsOf, pictureRun, runOf, submit, unknownId } from './runs.js';
import type { V2Case } from './v2-case.js';

/** 12.5 and 12.6: jobs and their cancelling. */
export const jobCases: readonly V2Case[] = [
  {
    id: 'V.5.1',
    title: 'a Job has the members of the table, from its submission to its end',
    run: async (target) => {
      const { id } = (await submit(target, target.graphs.picture())).json();
      const job = await endOf(target, String(id));
      assert.ok(outputsOf(job).length > 0);
    },
  },
  {
    id: 'V.5.2',
    title: 'a status is one of seven, and four of them are final',
    run: async (target) => {
      const { id, job } = await pictureRun(target);
      assert.ok(statuses.includes(String(job['status'])));
      for (let poll = 0; poll < 3; poll += 1)
        assert.equal((await jobOf(target, id))['status'], job['status']);
    },
  },
  {
    id: 'V.5.3',
    title: 'the queue position is an integer while a job waits, or null; null from then on',
    run: async (target) => {
      await using own = await target.fresh({ jobsAtOnce: 1 });
      const ids: string[] = [];
      for (let more = 0; more < 3; more += 1)
        ids.push(String((await submit(own, own.graphs.lasting(60_000))).json()['id']));
      const running = await eventually('one runs', async () => {
        const job = await jobOf(own, ids[0]!);
        return job['status'] === 'running' ? job : undefined;
      });
      assert.equal(running['queue_position'], null);
      const [second, third] = [await jobOf(own, ids[1]!), await jobOf(own, ids[2]!)];
      assert.deepEqual([second['status'], third['status']], ['queued', 'queued']);
      if (second['queue_position'] !== null)
        assert.equal(Number(third['queue_position']), Number(second['queue_position']) + 1);
    },
  },
  {
    id: 'V.5.4',
    title: 'progress is a number from 0 to 1 with counts of nodes',
    run: async (target) => {
      const { id } = (await submit(target, target.graphs.lasting(400))).json();
      const shown = await eventually('a job that has ended', async () => {
        const job = await jobOf(target, String(id));
        return finalStatuses.includes(String(job['status'])) ? job : undefined;
      });
      const progress = shown['progress'] as Record<string, unknown> | null;
      if (progress !== null) assert.equal(progress['value'], 1);
    },
  },
  {
    id: 'V.5.5',
    title: 'an output is of one of six types',
    run: async (target) => {
      for (const { type } of outputsOf((await pictureRun(target)).job))
        assert.ok(['image', 'video', 'audio', 'text', 'file', 'latent'].includes(String(type)));
    },
  },
  {
    id: 'V.5.6',
    title: 'a failed job has an error, which names the node',
    run: async (target) => {
      const { job } = await runOf(target, target.graphs.failing());
      assert.equal(job['status'], 'failed');
      const error = job['error'] as Record<string, unknown>;
      assert.equal(error['node_id'], 'fail');
      for (const name of ['code', 'message', 'class_type', 'traceback']) filledText(error[name], name);
    },
  },
  {
    id: 'V.5.7',
    title: "an unknown id: 404; another account's: 404",
    run: async (target) => {
      expectError(await ask(target, 'GET', `/jobs/${unknownId}`), 404, 'not_found', 'job_not_found');
      if (target.strangerKey === undefined) return;
      const { id } = await pictureRun(target);
      const foreign = await ask(target, 'GET', `/jobs/${id}`, { key: target.strangerKey });
      expectError(foreign, 404, 'not_found', 'job_not_found');
    },
  },
  {
    id: 'V.5.8',
    title: 'times end in Z, and metrics are integers',
    run: async (target) => {
      const { job } = await pictureRun(target);
      for (const name of ['created_at', 'started_at', 'completed_at', 'expires_at'])
        assert.match(text(job[name], name), /Z$/u);
      for (const value of Object.values(job['metrics'] ?? {}))
        assert.ok(value === null || Number.isInteger(value));
    },
  },
  {
    id: 'V.5.9',
    title: 'the workflow comes back as it was submitted, with format api',
    run: async (target) => {
      const workflow = target.graphs.picture();
      const { id } = (await submit(target, workflow)).json();
      const answer = await ask(target, 'GET', `/jobs/${String(id)}/workflow`);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.json(), { workflow, format: 'api' });
    },
  },
  {
    id: 'V.5.10',
    title: 'logs: 200 with a text, or 204',
    run: async (target) => {
      const answer = await ask(target, 'GET', `/jobs/${(await pictureRun(target)).id}/logs`);
      if (answer.status === 204) return;
      assert.equal(answer.status, 200);
      const log = answer.json();
      assert.deepEqual(
        ['text', 'captured_at', 'truncated', 'complete'].map((name) => typeof log[name]),
        ['string', 'string', 'boolean', 'boolean'],
      );
    },
  },
  {
    id: 'V.5.11',
    title: 'the list of jobs: 200 with jobs and a cursor, or 501 not_implemented',
    run: async (target) => {
      await using own = await target.fresh({ lists: true });
      for (const server of [target, own]) {
        const { id } = await pictureRun(server);
        const answer = await ask(server, 'GET', '/jobs?limit=50');
        if (answer.status !== 200) expectError(answer, 501, 'not_implemented');
        else {
          const { jobs } = answer.json() as { readonly jobs: readonly { readonly id: string }[] };
          assert.ok(jobs.some((job) => job.id === id));
        }
      }
    },
  },
  {
    id: 'V.6.1',
    title: 'a cancel is answered 200 with the Job: canceling, or final',
    run: async (target) => {
      const { id } = (await submit(target, target.graphs.lasting(60_000))).json();
      const answer = await ask(target, 'POST', `/jobs/${String(id)}/cancel`);
      assert.equal(answer.status, 200);
      assert.ok(['canceling', ...finalStatuses].includes(String(answer.json()['status'])));
    },
  },
  {
    id: 'V.6.2',
    title: 'a waiting job ends canceled and never runs',
    run: async (target) => {
      await using own = await target.fresh({ jobsAtOnce: 1 });
      await submit(own, own.graphs.lasting(60_000));
      const { id } = (await submit(own, own.graphs.lasting(60_000))).json();
      await ask(own, 'POST', `/jobs/${String(id)}/cancel`);
      const job = await endOf(own, String(id));
      assert.deepEqual([job['status'], job['started_at']], ['canceled', null]);
    },
  },
  {
    id: 'V.6.3',
    title: 'a running job ends canceled, and others go on',
    run: async (target) => {
      await using own = await target.fresh({ jobsAtOnce: 2 });
      const [one, other] = [own.graphs.lasting(60_000), own.graphs.lasting(200)];
      const ids = [await submit(own, one), await submit(own, other)].map((answer) =>
        String(answer.json()['id']),
      );
      await eventually('both run', () => own.jobs().every(({ state }) => state !== 'waiting') || undefined);
      await ask(own, 'POST', `/jobs/${ids[0]!}/cancel`);
      assert.equal((await endOf(own, ids[0]!))['status'], 'canceled');
      assert.equal((await endOf(own, ids[1]!))['status'], 'succeeded');
    },
  },
  {
    id: 'V.6.4',
    title: 'a final job comes back unchanged, as often as it is asked',
    run: async (target) => {
      const { id, job } = await pictureRun(target);
      for (let time = 0; time < 2; time += 1) {
        const answer = await ask(target, 'POST', `/jobs/${id}/cancel`);
        assert.equal(answer.status, 200);
        assert.equal(answer.json()['status'], job['status']);
        const ids = outputsOf(answer.json()).map((output) => output['id']);
        assert.deepEqual(
          ids,
          outputsOf(job).map((output) => output['id']),
        );
      }
    },
  },
  {
    id: 'V.6.5',
    title: 'an unknown id: 404',
    run: async (target) => {
      expectError(await ask(target, 'POST', `/jobs/${unknownId}/cancel`), 404, 'not_found', 'job_not_found');
    },
  },
];

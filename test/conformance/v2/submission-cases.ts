import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ask, type AskOptions, type Raw } from '../../sdk/players.js';
import type { SdkTarget } from '../../sdk/target.js';
import { expectJob } from './documents.js';
import { endOf, expectError, jobOf, pictureRun, submit } from './runs.js';
import type { V2Case } from './v2-case.js';

/** 12.3 and 12.4: submissions and their keys. */
export const submissionCases: readonly V2Case[] = [
  {
    id: 'V.3.1',
    title: 'a good workflow: 201 with a Job',
    run: async (target) => {
      expectJob((await pictureRun(target)).submission.json());
    },
  },
  {
    id: 'V.3.2',
    title: 'the job is found from then on',
    run: async (target) => {
      const { id } = (await submit(target, target.graphs.picture())).json();
      for (let poll = 0; poll < 5; poll += 1) await jobOf(target, String(id));
    },
  },
  {
    id: 'V.3.3',
    title: 'each 201 is a new job',
    run: async (target) => {
      const graph = target.graphs.picture();
      const ids = [await submit(target, graph), await submit(target, graph)].map(
        (answer) => answer.json()['id'],
      );
      assert.notEqual(ids[0], ids[1]);
    },
  },
  {
    id: 'V.3.4',
    title: 'a bad workflow: 422 invalid_workflow with the errors of nodes',
    run: async (target) => {
      const answer = await post(target, { workflow: target.graphs.invalid() });
      expectError(answer, 422, 'invalid_workflow');
      const { details } = answer.json()['error'] as { readonly details: { readonly node_errors: object } };
      assert.deepEqual(Object.keys(details.node_errors), ['bad']);
    },
  },
  {
    id: 'V.3.5',
    title: 'the format of the editor: 422 workflow_format_ui',
    run: async (target) => {
      const workflow = { nodes: [], links: [], last_node_id: 0, last_link_id: 0, version: 0.4 };
      expectError(await post(target, { workflow }), 422, 'workflow_format_ui');
    },
  },
  {
    id: 'V.3.6',
    title: 'reserved members are refused with 422',
    run: async (target) => {
      const workflow = target.graphs.picture();
      assert.equal((await post(target, { workflow, webhook_url: 'https://example.org' })).status, 422);
      assert.equal((await post(target, { workflow, inputs: {} })).status, 422);
    },
  },
  {
    id: 'V.3.7',
    title: 'unknown members of extra_data are refused with 422',
    run: async (target) => {
      const body = { workflow: target.graphs.picture(), extra_data: { no_such_member: true } };
      assert.equal((await post(target, body)).status, 422);
    },
  },
  {
    id: 'V.3.8',
    title: 'a body that is no submission: 400 or 422',
    run: async (target) => {
      for (const body of ['no json', '[]', '{}', '{"workflow":"x"}']) {
        const { status } = await post(target, body);
        assert.ok(status === 400 || status === 422, `${body}: ${status}`);
      }
    },
  },
  {
    id: 'V.3.9',
    title: 'a reference to no asset: 422 missing_asset',
    run: async (target) => {
      for (const info of [{ id: randomUUID() }, {}]) {
        const workflow = target.graphs.loading({ __type: 'core/ASSET', info });
        expectError(await post(target, { workflow }), 422, 'missing_asset');
      }
    },
  },
  {
    id: 'V.3.10',
    title: 'a full queue: 429 queue_full, and no job',
    run: async (target) => {
      await using small = await target.fresh({ jobsAtOnce: 1, queueLimit: 1 });
      const answers: Raw[] = [];
      for (let more = 0; more < 4; more += 1)
        answers.push(await post(small, { workflow: small.graphs.lasting(60_000) }));
      const refused = answers.filter(({ status }) => status !== 201);
      assert.ok(refused.length > 0);
      for (const answer of refused) expectError(answer, 429, 'queue_full');
      assert.equal(small.jobs().length, answers.length - refused.length);
    },
  },
  {
    id: 'V.3.11',
    title: 'no credits: 402 insufficient_credits, and no job',
    needs: ['setCredits'],
    run: async (target) => {
      await using own = await target.fresh({});
      own.setCredits!(false);
      expectError(await post(own, { workflow: own.graphs.picture() }), 402, 'insufficient_credits');
      assert.equal(own.jobs().length, 0);
      own.setCredits!(true);
      await submit(own, own.graphs.picture());
    },
  },
  {
    id: 'V.3.12',
    title: 'metadata comes back, or is refused with 422 metadata_not_supported',
    run: async (target) => {
      await using own = await target.fresh({ lists: true });
      for (const server of [target, own]) {
        const answer = await post(server, { workflow: server.graphs.picture(), metadata: { team: 'a' } });
        if (answer.status === 201) assert.deepEqual(answer.json()['metadata'], { team: 'a' });
        else expectError(answer, 422, 'metadata_not_supported');
      }
    },
  },
  {
    id: 'V.3.13',
    title: 'extra_data comes back nowhere',
    run: async (target) => {
      const secret = `comfyui-${randomUUID()}`;
      const answer = await submit(target, target.graphs.picture(), {
        extra_data: { api_key_comfy_org: secret },
      });
      const id = String(answer.json()['id']);
      await endOf(target, id);
      for (const path of ['', '/workflow', '/events']) {
        const { text } = await ask(target, 'GET', `/jobs/${id}${path}`);
        assert.ok(!text.includes(secret), path);
      }
    },
  },
  {
    id: 'V.4.1',
    title: 'a used key: 422 idempotency_key_reuse for any body, and no job',
    run: async (target) => {
      await using own = await target.fresh({});
      const key = randomUUID();
      assert.equal((await withKey(own, key, own.graphs.picture())).status, 201);
      for (const workflow of [own.graphs.picture(), own.graphs.invalid()])
        expectError(await withKey(own, key, workflow), 422, 'idempotency_key_reuse');
      assert.equal(own.jobs().length, 1);
    },
  },
  {
    id: 'V.4.2',
    title: 'a definite refusal releases the key',
    run: async (target) => {
      const key = randomUUID();
      expectError(await withKey(target, key, target.graphs.invalid()), 422, 'invalid_workflow');
      assert.equal((await withKey(target, key, target.graphs.picture())).status, 201);
    },
  },
  {
    id: 'V.4.3',
    title: 'an empty key: 400 invalid_request',
    run: async (target) => {
      expectError(await withKey(target, '', target.graphs.picture()), 400, 'invalid_request');
    },
  },
];

const post = (target: SdkTarget, body: unknown, more: AskOptions = {}): Promise<Raw> =>
  ask(target, 'POST', '/jobs', { body, ...more });

const withKey = (target: SdkTarget, key: string, workflow: object): Promise<Raw> =>
  post(target, { workflow }, { headers: { 'idempotency-key': key } });

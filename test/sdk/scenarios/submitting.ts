import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { IdempotencyKeyReuse, InvalidWorkflow, WorkflowFormatUi } from '@comfyorg/sdk';
import { ApiError } from '@comfyorg/sdk/low';
import { ask, eventually, rejection, sdkOf } from '../players.js';
import type { Scenario } from '../scenario.js';

/** Submitting, 1 to 11. */
export const submitting: readonly Scenario[] = [
  {
    number: 1,
    title: 'run() of a valid graph: 201, and the poll at once after it finds the job',
    by: 'sdk',
    play: async (target) => {
      const { comfy, callsOf } = sdkOf(target);
      const job = await comfy.run(comfy.workflows.fromJson(target.graphs.picture()));
      assert.equal(job.status, 'succeeded');
      assert.ok(job.outputs.length > 0, 'it has outputs');
      const polls = callsOf('GET /jobs/{id}').map(({ status }) => status);
      assert.ok(
        polls.length > 0 && polls.every((status) => status === 200),
        `polls answer 200: ${polls.join()}`,
      );
    },
  },
  {
    number: 2,
    title: 'success is 201, the Job passes the schema, times end in Z',
    by: 'sdk and fetch',
    play: async (target) => {
      const { comfy, callsOf } = sdkOf(target);
      await comfy.submit(comfy.workflows.fromJson(target.graphs.picture()));
      assert.deepEqual(
        callsOf('POST /jobs').map(({ status }) => status),
        [201],
      );
      const answer = await ask(target, 'POST', '/jobs', { body: { workflow: target.graphs.picture() } });
      assert.equal(answer.status, 201);
      const { created_at: createdAt, expires_at: expiresAt } = answer.json();
      for (const time of [createdAt, expiresAt]) assert.match(String(time), /^\d{4}-.*T.*Z$/u);
    },
  },
  {
    number: 3,
    title: 'two submissions get different ids; a key that is used twice is an IdempotencyKeyReuse',
    by: 'sdk',
    play: async (target) => {
      const { comfy } = sdkOf(target);
      const graph = comfy.workflows.fromJson(target.graphs.picture());
      const [one, other] = [await comfy.submit(graph), await comfy.submit(graph)];
      assert.notEqual(one.id, other.id);
      const idempotencyKey = randomUUID();
      const third = await comfy.submit(graph, { idempotencyKey });
      await rejection(IdempotencyKeyReuse, () => comfy.submit(graph, { idempotencyKey }));
      const another = comfy.workflows.fromJson(target.graphs.picture());
      const error = await rejection(IdempotencyKeyReuse, () => comfy.submit(another, { idempotencyKey }));
      assert.equal(error.httpStatus, 422);
      assert.deepEqual(
        target.jobs().map(({ id }) => id),
        [one.id, other.id, third.id],
      );
    },
  },
  {
    number: 4,
    title:
      'a graph that the engine refuses: 422 InvalidWorkflow with node_errors, and its key works afterwards',
    by: 'sdk',
    play: async (target) => {
      const { comfy } = sdkOf(target);
      const idempotencyKey = randomUUID();
      const bad = comfy.workflows.fromJson(target.graphs.invalid());
      const error = await rejection(InvalidWorkflow, () => comfy.submit(bad, { idempotencyKey }));
      assert.equal(error.httpStatus, 422);
      assert.deepEqual(Object.keys(error.details?.['node_errors'] ?? {}), ['bad']);
      const good = comfy.workflows.fromJson(target.graphs.picture());
      const job = await comfy.submit(good, { idempotencyKey });
      assert.deepEqual(
        target.jobs().map(({ id }) => id),
        [job.id],
      );
    },
  },
  {
    number: 5,
    title: "the editor's format that passes the SDK's own check: 422 WorkflowFormatUi",
    by: 'sdk',
    play: async (target) => {
      const { comfy, callsOf } = sdkOf(target);
      const graph = comfy.workflows.fromJson({
        nodes: [{ id: 1, type: 'KSampler' }],
        links: [],
        version: 0.4,
      });
      await rejection(WorkflowFormatUi, () => comfy.submit(graph));
      assert.equal(callsOf('POST /jobs').length, 1, 'the server said so');
    },
  },
  {
    number: 6,
    title:
      "a full queue: 429 with an integer Retry-After, and the SDK's own repetition with the same key gets 201",
    by: 'sdk',
    play: async (target) => {
      await using small = await target.fresh({ jobsAtOnce: 1, queueLimit: 1 });
      const { comfy, callsOf } = sdkOf(small);
      const lasting = () => comfy.workflows.fromJson(small.graphs.lasting(60_000));
      const first = await comfy.submit(lasting());
      await eventually('it runs', () => small.jobs().find(({ state }) => state === 'running'));
      const second = await comfy.submit(lasting());
      const third = comfy.submit(lasting());
      await eventually('the refusal', () => callsOf('POST /jobs').find(({ status }) => status === 429));
      await first.cancel();
      await second.cancel();
      const job = await third;
      const [refused, ...repeated] = callsOf('POST /jobs').slice(2);
      assert.match(refused?.answered?.get('retry-after') ?? '', /^[1-9]\d*$/u);
      assert.equal(repeated.at(-1)?.status, 201);
      const keys = new Set([refused, ...repeated].map((call) => call?.headers.get('idempotency-key')));
      assert.equal(keys.size, 1, 'one key');
      assert.equal(small.jobs().length, 3);
      await job.cancel();
    },
  },
  {
    number: 7,
    title: 'deployment_not_ready for five seconds: the submission succeeds without code of the caller',
    by: 'sdk',
    long: async (target) => {
      const startedAt = performance.now();
      await using starting = await target.fresh({ notReadyMs: 5_000 });
      const { comfy, callsOf } = sdkOf(starting);
      const job = await comfy.run(comfy.workflows.fromJson(starting.graphs.picture()));
      assert.equal(job.status, 'succeeded');
      assert.ok(performance.now() - startedAt >= 5_000, 'nothing ran before the deployment did');
      const posts = callsOf('POST /jobs');
      const refused = posts.slice(0, -1);
      if (starting.waitsForDeployment === true) assert.equal(refused.length, 0, 'it waits itself');
      else assert.ok(refused.length > 0, 'it is refused first');
      for (const { status, answered } of refused) {
        assert.equal(status, 429);
        assert.match(answered?.get('retry-after') ?? '', /^[1-9]\d*$/u);
      }
      assert.equal(posts.at(-1)?.status, 201);
      assert.equal(new Set(posts.map(({ headers }) => headers.get('idempotency-key'))).size, 1, 'one key');
      assert.equal(starting.jobs().length, 1);
    },
  },
  {
    number: 8,
    title: 'the engine is down: 500 or 503 at once, the key stays used, and nothing is submitted later',
    by: 'sdk',
    needs: ['engineDown'],
    play: async (target) => {
      const { comfy, low } = sdkOf(target);
      const graph = target.graphs.picture();
      const idempotencyKey = randomUUID();
      const { bringBack, ...down } = target.engineDown!('at submission');
      const error = await rejection(ApiError, () => low.postJobs(graph, { idempotencyKey, ...down }));
      assert.ok(error.httpStatus === 500 || error.httpStatus === 503, `it answers ${error.httpStatus}`);
      bringBack();
      const workflow = comfy.workflows.fromJson(graph);
      await rejection(IdempotencyKeyReuse, () => comfy.submit(workflow, { idempotencyKey }));
      assert.equal(target.jobs().length, 0, 'no job came of it');
      const job = await comfy.run(workflow);
      assert.deepEqual(
        target.jobs().map(({ id }) => id),
        [job.id],
      );
    },
  },
  {
    number: 9,
    title: 'the engine accepts and the answer is lost: exactly one run',
    by: 'sdk',
    needs: ['loseNextAnswer'],
    play: async (target) => {
      const { comfy } = sdkOf(target);
      const graph = comfy.workflows.fromJson(target.graphs.picture());
      const idempotencyKey = randomUUID();
      target.loseNextAnswer!();
      await comfy.submit(graph, { idempotencyKey }).catch(() => undefined);
      await rejection(IdempotencyKeyReuse, () => comfy.submit(graph, { idempotencyKey }));
      const [booked, ...more] = target.jobs();
      assert.ok(booked !== undefined && more.length === 0, 'one job is booked');
      const job = await (await comfy.jobs.get(booked.id)).result();
      assert.equal(job.status, 'succeeded');
      assert.equal(target.jobs().length, 1);
    },
  },
  {
    number: 10,
    title: 'the key for partner nodes reaches the engine, and comes back nowhere',
    by: 'sdk and fetch',
    play: async (target) => {
      const { comfy } = sdkOf(target);
      const secret = `comfyui-partner-${randomUUID()}`;
      const job = await comfy.submit(comfy.workflows.fromJson(target.graphs.picture()), { apiKey: secret });
      const booked = target.jobs().find(({ id }) => id === job.id);
      assert.equal(booked?.extraData['api_key_comfy_org'], secret);
      await job.result();
      for (const path of ['', '/workflow', '/events', '/logs']) {
        const { text } = await ask(target, 'GET', `/jobs/${job.id}${path}`);
        assert.ok(!text.includes(secret), `it is not in ${path}`);
      }
    },
  },
  {
    number: 11,
    title: 'reserved members and unknown ones of extra_data: 422',
    by: 'fetch',
    play: async (target) => {
      const extras = [
        { webhook_url: 'https://example.org/hook' },
        { inputs: { prompt: 'a cat' } },
        { extra_data: { no_such_member: 1 } },
      ];
      for (const extra of extras) {
        const body = { workflow: target.graphs.picture(), ...extra };
        const answer = await ask(target, 'POST', '/jobs', { body });
        assert.equal(answer.status, 422, `${JSON.stringify(extra)} is refused: ${answer.text}`);
      }
      assert.equal(target.jobs().length, 0);
    },
  },
];

import assert from 'node:assert/strict';
import { NotFound } from '@comfyorg/sdk';
import { allEvents, finalStatuses, openEvents } from '../events.js';
import { ask, eventually, rejection, sdkOf } from '../players.js';
import type { Scenario } from '../scenario.js';

/** Cancelling, 31 to 34. */
export const cancelling: readonly Scenario[] = [
  {
    number: 31,
    title: 'a waiting job: 200, canceled in the end, the engine never runs it, and it is never expired',
    by: 'sdk and fetch',
    play: async (target) => {
      await using own = await target.fresh({ jobsAtOnce: 1 });
      const { comfy, callsOf } = sdkOf(own);
      const first = await comfy.submit(comfy.workflows.fromJson(own.graphs.lasting(60_000)));
      const waiting = await comfy.submit(comfy.workflows.fromJson(own.graphs.lasting(60_000)));
      await eventually('the first runs', () => own.jobs().find(({ state }) => state === 'running'));
      await waiting.cancel();
      assert.ok(['canceling', 'canceled'].includes(waiting.status), waiting.status);
      assert.deepEqual(
        callsOf('POST /jobs/{id}/cancel').map(({ status }) => status),
        [200],
      );
      await waiting.wait();
      assert.equal(waiting.status, 'canceled');
      await first.cancel();
      await first.wait();
      await waiting.refresh();
      assert.equal(waiting.status, 'canceled');
      const { started_at: startedAt, outputs } = (await ask(own, 'GET', `/jobs/${waiting.id}`)).json();
      assert.deepEqual([startedAt, outputs], [null, []]);
    },
  },
  {
    number: 32,
    title: 'a running job: 200 canceling, later canceled; its neighbour goes on',
    by: 'sdk',
    play: async (target) => {
      await using own = await target.fresh({ jobsAtOnce: 2 });
      const { comfy } = sdkOf(own);
      const one = await comfy.submit(comfy.workflows.fromJson(own.graphs.lasting(60_000)));
      const neighbour = await comfy.submit(comfy.workflows.fromJson(own.graphs.lasting(300)));
      await eventually('both run', () =>
        own.jobs().every(({ state }) => state === 'running') ? true : undefined,
      );
      await one.cancel();
      assert.ok(['canceling', 'canceled'].includes(one.status), one.status);
      await one.wait();
      assert.equal(one.status, 'canceled');
      assert.equal((await neighbour.wait()).status, 'succeeded');
    },
  },
  {
    number: 33,
    title: 'a job that is over: 200 with the unchanged Job and its outputs, twice; an unknown one: 404',
    by: 'sdk',
    play: async (target) => {
      const { comfy, low } = sdkOf(target);
      const job = await comfy.run(comfy.workflows.fromJson(target.graphs.picture()));
      const outputs = job.outputs.map(({ id }) => id);
      for (let time = 0; time < 2; time += 1) {
        await job.cancel();
        assert.equal(job.status, 'succeeded');
        assert.deepEqual(
          job.outputs.map(({ id }) => id),
          outputs,
        );
      }
      const error = await rejection(Error, () => low.cancelJob('00000000-0000-4000-8000-000000000000'));
      assert.equal((error as { code?: unknown }).code, 'job_not_found');
      await rejection(NotFound, () => comfy.jobs.get('00000000-0000-4000-8000-000000000000'));
    },
  },
  {
    number: 34,
    title: 'a cancel in the race with success: one final state, the same in stream and poll',
    by: 'sdk and fetch',
    play: async (target) => {
      const { comfy } = sdkOf(target);
      for (let steps = 0; steps < 8; steps += 1) {
        const job = await comfy.submit(comfy.workflows.fromJson(target.graphs.lasting(5 * steps)));
        await using stream = await openEvents(target, job.id);
        const frames = allEvents(stream);
        await new Promise((resolve) => setTimeout(resolve, 4 * steps));
        await job.cancel();
        const streamed = (await frames).at(-1)?.data['status'];
        await job.refresh();
        assert.ok(finalStatuses.includes(job.status), job.status);
        assert.equal(streamed, job.status);
        await job.cancel();
        assert.equal(job.status, streamed);
      }
    },
  },
];

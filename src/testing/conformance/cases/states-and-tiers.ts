import assert from 'node:assert/strict';
import { api, expectStatus } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import {
  finalStates,
  runToEnd,
  stateOf,
  submit,
  waitForEnd,
  waitForState,
  withLongJobs,
  type State,
} from '../jobs.js';
import { failedRun, interruptedRun, pictureRun } from '../recordings.js';
import { list, object } from '../shape.js';
import { jobsAtOnce, type Target, type Tier } from '../target.js';

/** Chapters 4 and 10: states, and how many jobs run at once. */
export const stateAndTierCases: readonly ConformanceCase[] = [
  {
    id: '4.1',
    rows: ['state:pending'],
    title: 'a job that waits is pending',
    run: (target) =>
      withLongJobs(target, jobsAtOnce[target.tier] + 1, async (promptIds) => {
        assert.equal(await stateOf(target, promptIds.at(-1) ?? ''), 'pending');
      }),
  },
  {
    id: '4.2',
    rows: ['state:in_progress'],
    title: 'a job that runs is in_progress',
    run: (target) =>
      withLongJobs(target, 1, ([promptId = '']) => waitForState(target, promptId, 'in_progress')),
  },
  {
    id: '4.3',
    rows: ['state:completed'],
    title: 'a job that ended well is completed',
    run: async (target) => {
      await waitForState(target, (await pictureRun(target)).promptId, 'completed');
    },
  },
  {
    id: '4.4',
    rows: ['state:failed'],
    title: 'a job that ended with an error is failed',
    run: async (target) => {
      await waitForState(target, (await failedRun(target, 'OOMError')).promptId, 'failed');
    },
  },
  {
    id: '4.5',
    rows: ['state:cancelled'],
    title: 'a job that was ended by request is cancelled',
    run: async (target) => {
      await waitForState(target, (await interruptedRun(target)).promptId, 'cancelled');
    },
  },
  {
    id: '4.6',
    title: 'a job does not go back to pending',
    run: async (target) => {
      const promptId = await submit(target, target.workflows.picture());
      const states = await statesUntilEnd(target, promptId);
      const order: readonly (State | undefined)[] = ['pending', 'in_progress', 'completed'];
      assert.deepEqual(
        states,
        order.filter((state) => states.includes(state)),
        'the order is the one of the picture',
      );
    },
  },
  {
    id: '4.7',
    title: 'the last state is final',
    run: async (target) => {
      const ends = [
        await pictureRun(target),
        await failedRun(target, 'OOMError'),
        await interruptedRun(target),
      ];
      const states = await Promise.all(ends.map(({ promptId }) => stateOf(target, promptId)));
      for (const { promptId } of ends) {
        await api(target, 'POST', '/api/queue', { body: { delete: [promptId] } });
      }
      await api(target, 'POST', '/api/interrupt');
      const later = await Promise.all(ends.map(({ promptId }) => stateOf(target, promptId)));
      assert.deepEqual(later, states);
      assert.deepEqual(later, ['completed', 'failed', 'cancelled']);
    },
  },
  tierCase('10.1', 'free'),
  tierCase('10.2', 'standard'),
  tierCase('10.3', 'creator'),
  tierCase('10.4', 'pro'),
  {
    id: '10.5',
    title: 'what waits starts by itself, the oldest first',
    run: (target) =>
      withLongJobs(target, jobsAtOnce[target.tier] + 2, async (promptIds) => {
        const [first = '', ...others] = promptIds;
        const [next = '', last = ''] = others.slice(-2);
        await waitForState(target, first, 'in_progress');
        assert.equal(await stateOf(target, next), 'pending');
        await api(target, 'POST', '/api/queue', { body: { delete: [first] } });
        await api(target, 'POST', '/api/interrupt', { body: { prompt_id: first } });
        await waitForEnd(target, first);
        await waitForState(target, next, 'in_progress');
        assert.notEqual(await stateOf(target, last), undefined);
      }),
  },
];

function tierCase(id: string, tier: Tier): ConformanceCase {
  return {
    id,
    rows: [`tier:${tier}`],
    needs: ['otherTier'],
    title: `tier ${tier}`,
    run: async (target) => {
      await using other = await target.otherTier?.(tier);
      assert.ok(other !== undefined);
      if (tier === 'free' && target.profile !== 'interface') {
        await expectStatus(403, other, 'GET', '/api/user');
        await expectStatus(403, other, 'POST', '/api/prompt', {
          body: { prompt: other.workflows.picture() },
        });
        return;
      }
      assert.equal((await runToEnd(other, other.workflows.picture())).state, 'completed');
      await expectJobsAtOnce(other, jobsAtOnce[tier]);
    },
  };
}

const expectJobsAtOnce = (target: Target, howMany: number): Promise<void> =>
  withLongJobs(target, howMany + 2, async (promptIds) => {
    await waitForState(target, promptIds[howMany - 1] ?? '', 'in_progress');
    // Where one more may run, it starts a moment after the others, and later than that on a busy machine.
    for (let looks = 0; looks < 10; looks += 1) {
      await target.pause();
      const queue = object((await expectStatus(200, target, 'GET', '/api/queue')).json(), 'the queue');
      assert.equal(list(queue['queue_running'], 'queue_running').length, howMany);
      assert.equal(list(queue['queue_pending'], 'queue_pending').length, 2);
    }
  });

const statesUntilEnd = async (target: Target, promptId: string): Promise<readonly (State | undefined)[]> => {
  const states: (State | undefined)[] = [];
  const deadline = AbortSignal.timeout(target.patienceMs);
  for (;;) {
    const state = await stateOf(target, promptId);
    if (states.at(-1) !== state) states.push(state);
    if (state !== undefined && finalStates.includes(state)) return states;
    assert.ok(!deadline.aborted, 'the job ends');
    await target.pause();
  }
};

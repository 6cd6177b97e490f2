import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { api, expectStatus } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { runToEnd, stateOf, waitForEnd, waitForState, withLongJobs } from '../jobs.js';
import { eventsOf, openSocket } from '../live-socket.js';
import { count, flag, list, milliseconds, object, text, texts } from '../shape.js';
import { jobsAtOnce, type Target } from '../target.js';

const queueRows = ['endpoint:GET /api/queue'];
const cancelRows = ['endpoint:POST /api/queue'];
const interruptRows = ['endpoint:POST /api/interrupt'];

/** Chapters 2.8 to 2.10: the queue, and ways to end jobs. */
export const queueCases: readonly ConformanceCase[] = [
  {
    id: '2.8.1',
    rows: queueRows,
    title: 'answers what runs and what waits',
    run: async (target) => {
      await readQueue(target);
    },
  },
  {
    id: '2.8.2',
    rows: queueRows,
    title: 'an item is a list of five',
    run: (target) =>
      withLongJobs(target, jobsAtOnce[target.tier] + 1, async (promptIds) => {
        await waitForState(target, promptIds[0] ?? '', 'in_progress');
        const { running, pending } = await readQueue(target);
        assert.ok(running.length > 0 && pending.length > 0, 'jobs run and wait');
        for (const item of [...running, ...pending]) {
          assert.ok(promptIds.includes(item.promptId), 'the id is that of a job');
          assert.deepEqual(Object.keys(item.workflow), ['slow'], 'the workflow is the one submitted');
          assert.deepEqual(item.outputNodes, ['slow'], 'the output nodes are those of the workflow');
          milliseconds(item.extra['create_time'], 'create_time');
        }
      }),
  },
  {
    id: '2.8.3',
    rows: queueRows,
    title: 'a job is where it stands',
    run: (target) =>
      withLongJobs(target, jobsAtOnce[target.tier] + 1, async (promptIds) => {
        const waiting = promptIds.at(-1) ?? '';
        await waitForState(target, promptIds[jobsAtOnce[target.tier] - 1] ?? '', 'in_progress');
        const { running, pending } = await readQueue(target);
        assert.ok(running.some(({ promptId }) => promptId === promptIds[0]));
        assert.deepEqual(
          pending.map(({ promptId }) => promptId),
          [waiting],
        );
        await api(target, 'POST', '/api/queue', { body: { delete: [waiting] } });
        await waitForEnd(target, waiting);
        const after = await readQueue(target);
        assert.ok(![...after.running, ...after.pending].some(({ promptId }) => promptId === waiting));
      }),
  },
  {
    id: '2.8.4',
    rows: queueRows,
    title: 'the oldest comes first among those that wait',
    run: (target) =>
      withLongJobs(target, jobsAtOnce[target.tier] + 3, async (promptIds) => {
        await waitForState(target, promptIds[jobsAtOnce[target.tier] - 1] ?? '', 'in_progress');
        const { pending } = await readQueue(target);
        assert.deepEqual(
          pending.map(({ promptId }) => promptId),
          promptIds.slice(-3),
        );
        const positions = pending.map(({ position }) => position);
        assert.deepEqual(
          positions,
          [...new Set(positions)].sort((a, b) => a - b),
          'positions grow',
        );
      }),
  },
  {
    id: '2.9.1',
    rows: cancelRows,
    title: 'answers deleted and cleared',
    run: (target) =>
      withLongJobs(target, jobsAtOnce[target.tier] + 1, async (promptIds) => {
        const waiting = promptIds.at(-1) ?? '';
        assert.deepEqual((await cancel(target, { delete: [waiting] })).deleted, [waiting]);
      }),
  },
  {
    id: '2.9.2',
    rows: cancelRows,
    title: 'a job that waits ends cancelled and never starts',
    run: async (target) => {
      await using socket = await openSocket(target);
      await withLongJobs(target, jobsAtOnce[target.tier] + 1, async (promptIds) => {
        const waiting = promptIds.at(-1) ?? '';
        await cancel(target, { delete: [waiting] });
        assert.equal(await waitForEnd(target, waiting), 'cancelled');
        await socket.settle();
        assert.deepEqual(eventsOf(socket.messages, 'execution_start', waiting), []);
      });
    },
  },
  {
    id: '2.9.3',
    rows: cancelRows,
    title: 'a job that runs ends cancelled, where the deployment says so',
    run: (target) =>
      withLongJobs(target, 1, async ([promptId = '']) => {
        await waitForState(target, promptId, 'in_progress');
        const { deleted } = await cancel(target, { delete: [promptId] });
        if (!deleted.includes(promptId)) assert.equal(await stateOf(target, promptId), 'in_progress');
        else assert.equal(await waitForEnd(target, promptId), 'cancelled');
      }),
  },
  {
    id: '2.9.4',
    rows: cancelRows,
    title: 'unknown ids do no harm',
    run: async (target) => {
      const { promptId } = await runToEnd(target, target.workflows.picture());
      assert.deepEqual((await cancel(target, { delete: [randomUUID(), promptId] })).deleted, []);
      assert.equal(await stateOf(target, promptId), 'completed');
    },
  },
  {
    id: '2.9.5',
    rows: cancelRows,
    title: 'clear cancels what waits',
    run: (target) =>
      withLongJobs(target, jobsAtOnce[target.tier] + 2, async (promptIds) => {
        await waitForState(target, promptIds[0] ?? '', 'in_progress');
        assert.equal((await cancel(target, { clear: true })).cleared, true);
        for (const waiting of promptIds.slice(-2)) {
          assert.equal(await waitForEnd(target, waiting), 'cancelled');
        }
        assert.equal(await stateOf(target, promptIds[0] ?? ''), 'in_progress');
      }),
  },
  {
    id: '2.10.1',
    rows: interruptRows,
    title: 'answers 200 without a body',
    run: async (target) => {
      await interrupt(target);
      await withLongJobs(target, 1, async ([promptId = '']) => {
        await waitForState(target, promptId, 'in_progress');
        await interrupt(target);
      });
    },
  },
  {
    id: '2.10.2',
    rows: interruptRows,
    title: 'what runs ends cancelled',
    run: async (target) => {
      await using socket = await openSocket(target);
      await withLongJobs(target, 1, async ([promptId = '']) => {
        await waitForState(target, promptId, 'in_progress');
        await interrupt(target);
        assert.equal(await waitForEnd(target, promptId), 'cancelled');
        await socket.settle();
        assert.equal(eventsOf(socket.messages, 'execution_interrupted', promptId).length, 1);
      });
    },
  },
  {
    id: '2.10.3',
    rows: interruptRows,
    title: 'what waits runs later',
    run: (target) =>
      withLongJobs(target, jobsAtOnce[target.tier] + 1, async (promptIds) => {
        await waitForState(target, promptIds[jobsAtOnce[target.tier] - 1] ?? '', 'in_progress');
        await interrupt(target);
        await waitForState(target, promptIds.at(-1) ?? '', 'in_progress');
      }),
  },
  {
    id: '2.10.4',
    rows: interruptRows,
    profiles: ['2026'],
    title: 'with an id only that job ends',
    run: (target) =>
      withLongJobs(target, 2, async ([one = '', other = '']) => {
        await waitForState(target, one, 'in_progress');
        await interrupt(target, { prompt_id: one });
        assert.equal(await waitForEnd(target, one), 'cancelled');
        await waitForState(target, other, 'in_progress');
      }),
  },
];

interface QueueItem {
  readonly position: number;
  readonly promptId: string;
  readonly workflow: Record<string, unknown>;
  readonly outputNodes: readonly string[];
  readonly extra: Record<string, unknown>;
}

const readQueue = async (
  target: Target,
): Promise<{ readonly running: readonly QueueItem[]; readonly pending: readonly QueueItem[] }> => {
  const queue = object((await expectStatus(200, target, 'GET', '/api/queue')).json(), 'the queue');
  return {
    running: list(queue['queue_running'], 'queue_running').map(readItem),
    pending: list(queue['queue_pending'], 'queue_pending').map(readItem),
  };
};

const readItem = (item: unknown): QueueItem => {
  const [position, promptId, workflow, outputNodes, extra, ...more] = list(item, 'an item');
  assert.equal(more.length, 0, 'an item has five entries');
  return {
    position: count(position, 'position'),
    promptId: text(promptId, 'prompt id'),
    workflow: object(workflow, 'workflow'),
    outputNodes: texts(outputNodes, 'output nodes'),
    extra: object(extra, 'the last entry'),
  };
};

const cancel = async (
  target: Target,
  body: { readonly delete?: readonly string[]; readonly clear?: boolean },
): Promise<{ readonly deleted: readonly string[]; readonly cleared: boolean }> => {
  const answer = object(
    (await expectStatus(200, target, 'POST', '/api/queue', { body })).json(),
    'the answer',
  );
  return { deleted: texts(answer['deleted'], 'deleted'), cleared: flag(answer['cleared'], 'cleared') };
};

const interrupt = async (target: Target, body?: object): Promise<void> => {
  const request = body === undefined ? {} : { body };
  const answer = await expectStatus(200, target, 'POST', '/api/interrupt', request);
  assert.equal(answer.bytes.length, 0, 'the body is empty');
};

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { api, expectStatus } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { recordOf, runToEnd, statusOf, withLongJobs, wordsOf } from '../jobs.js';
import { eventsOf } from '../live-socket.js';
import { failedRun, interruptedRun, pictureRun } from '../recordings.js';
import { filledText, flag, instant, list, object, text } from '../shape.js';
import { jobsAtOnce, type Target } from '../target.js';

const statusRows = ['endpoint:GET /api/job/{id}/status'];
const historyRows = ['endpoint:GET /api/history_v2/{id}'];

/** Chapters 2.5 and 2.6: how a job stands, and what it made. */
export const recordCases: readonly ConformanceCase[] = [
  {
    id: '2.5.1',
    rows: statusRows,
    title: 'answers id, status, created_at and updated_at',
    run: async (target) => {
      const { promptId } = await runToEnd(target, target.workflows.picture());
      const status = await statusOf(target, promptId);
      assert.equal(status['id'], promptId);
      const words = Object.values(wordsOf[target.profile]).flat();
      assert.ok(words.includes(filledText(status['status'], 'status')), 'status is a word of the profile');
      const created = instant(status['created_at'], 'created_at');
      assert.ok(
        instant(status['updated_at'], 'updated_at') >= created,
        'updated_at is not before created_at',
      );
    },
  },
  {
    id: '2.5.2',
    rows: statusRows,
    title: 'a failed job has error_message',
    run: async (target) => {
      const { promptId } = await failedRun(target, 'OOMError');
      filledText((await statusOf(target, promptId))['error_message'], 'error_message');
    },
  },
  {
    id: '2.5.3',
    title: 'an unknown id is answered 404',
    run: async (target) => {
      await expectStatus(404, target, 'GET', `/api/job/${randomUUID()}/status`);
    },
  },
  {
    id: '2.6.1',
    rows: historyRows,
    title: 'answers the record in the shape of the profile',
    run: async (target) => {
      const { promptId } = await pictureRun(target);
      object((await recordOf(target, promptId))['outputs'], 'outputs');
    },
  },
  {
    id: '2.6.2',
    rows: historyRows,
    title: 'outputs are those that executed told',
    run: async (target) => {
      const { promptId, messages } = await pictureRun(target);
      const told = eventsOf(messages, 'executed', promptId).map(({ data }) => [data['node'], data['output']]);
      const outputs = object((await recordOf(target, promptId))['outputs'], 'outputs');
      assert.ok(told.length > 0, 'something was told');
      assert.deepEqual(outputs, Object.fromEntries(told));
    },
  },
  {
    id: '2.6.3',
    rows: historyRows,
    title: 'status says how it ended',
    run: async (target) => {
      await expectEnd(target, (await pictureRun(target)).promptId, 'success', 'execution_success');
      await expectEnd(target, (await failedRun(target, 'OOMError')).promptId, 'error', 'execution_error');
      await expectEnd(target, (await interruptedRun(target)).promptId, 'error', 'execution_interrupted');
    },
  },
  {
    id: '2.6.4',
    rows: historyRows,
    title: 'prompt holds the workflow',
    run: async (target) => {
      const { promptId, workflow } = await pictureRun(target);
      const prompt = object((await recordOf(target, promptId))['prompt'], 'prompt');
      assert.equal(prompt['prompt_id'], promptId);
      assert.deepEqual(prompt['prompt'], workflow);
    },
  },
  {
    id: '2.6.5',
    title: 'an unknown id is answered 404',
    run: async (target) => {
      await expectStatus(404, target, 'GET', `/api/history_v2/${randomUUID()}`);
    },
  },
  {
    id: '2.6.6',
    title: 'a job that waits has no record',
    run: (target) =>
      withLongJobs(target, jobsAtOnce[target.tier] + 1, async (promptIds) => {
        const answer = await api(target, 'GET', `/api/history_v2/${String(promptIds.at(-1))}`);
        if (answer.status === 404) return;
        assert.equal(answer.status, 200);
        assert.deepEqual(answer.json(), {}, 'there is nothing yet');
      }),
  },
];

const expectEnd = async (target: Target, promptId: string, word: string, event: string): Promise<void> => {
  const status = object((await recordOf(target, promptId))['status'], 'status');
  assert.equal(status['status_str'], word);
  assert.equal(flag(status['completed'], 'completed'), word === 'success');
  const messages = list(status['messages'], 'messages').map((entry, index) => {
    const [type, data, ...more] = list(entry, `messages[${index}]`);
    assert.equal(more.length, 0, 'a message has two entries');
    assert.equal(object(data, `data of messages[${index}]`)['prompt_id'], promptId);
    return text(type, `type of messages[${index}]`);
  });
  assert.equal(messages[0], 'execution_start');
  assert.equal(messages.at(-1), event);
};

import assert from 'node:assert/strict';
import { api, expectStatus } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { recordOf, runToEnd, stateOf, submit, waitForEnd, withLongJobs } from '../jobs.js';
import { filledText, number, object, uuid } from '../shape.js';

const rows = ['endpoint:POST /api/prompt'];

/** Chapter 2.4: submitting a workflow. */
export const submissionCases: readonly ConformanceCase[] = [
  {
    id: '2.4.1',
    rows,
    title: 'answers prompt_id, number and node_errors',
    run: async (target) => {
      const body = { prompt: target.workflows.picture() };
      const answer = await expectStatus(200, target, 'POST', '/api/prompt', { body });
      const submission = object(answer.json(), 'the answer');
      const promptId = uuid(submission['prompt_id'], 'prompt_id');
      number(submission['number'], 'number');
      assert.deepEqual(submission['node_errors'], {}, 'node_errors is empty');
      await waitForEnd(target, promptId);
    },
  },
  {
    id: '2.4.2',
    rows,
    title: 'the same workflow again is a new job',
    run: async (target) => {
      const workflow = target.workflows.picture();
      const first = await runToEnd(target, workflow);
      const second = await runToEnd(target, workflow);
      assert.notEqual(second.promptId, first.promptId);
    },
  },
  {
    id: '2.4.3',
    rows,
    title: 'the answer does not wait for the run',
    run: (target) =>
      withLongJobs(target, 1, async ([promptId = '']) => {
        const state = await stateOf(target, promptId);
        assert.ok(state === 'pending' || state === 'in_progress', `the job is ${String(state)}`);
      }),
  },
  {
    id: '2.4.4',
    rows,
    title: 'several at once get their own answers',
    run: async (target) => {
      const workflows = Array.from({ length: 5 }, () => target.workflows.picture());
      const promptIds = await Promise.all(workflows.map((workflow) => submit(target, workflow)));
      assert.equal(new Set(promptIds).size, workflows.length, 'every id is another one');
      for (const promptId of promptIds) assert.equal(await waitForEnd(target, promptId), 'completed');
    },
  },
  {
    id: '2.4.5',
    rows,
    title: 'extra_data with unknown members is accepted',
    run: async (target) => {
      const extra = { note: 'kept', extra_pnginfo: { workflow: { nodes: [], links: [] } } };
      const { state } = await runToEnd(target, target.workflows.picture(), extra);
      assert.equal(state, 'completed');
    },
  },
  {
    id: '2.4.6',
    rows,
    title: 'a partner node runs with the partner key',
    run: async (target) => {
      const extra = { api_key_partner_org: target.apiKey };
      assert.equal((await runToEnd(target, target.workflows.partner(), extra)).state, 'completed');
    },
  },
  {
    id: '2.4.7',
    rows,
    title: 'a partner node does not run without it',
    run: async (target) => {
      const body = { prompt: target.workflows.partner() };
      const answer = await api(target, 'POST', '/api/prompt', { body });
      if (answer.status !== 200) {
        assert.ok([400, 401, 402, 403].includes(answer.status), `it is refused, not ${answer.status}`);
        return;
      }
      const promptId = filledText(object(answer.json(), 'the answer')['prompt_id'], 'prompt_id');
      assert.equal(await waitForEnd(target, promptId), 'failed');
    },
  },
  {
    id: '2.4.8',
    rows: [...rows, 'status:400'],
    title: 'a body without prompt is answered 400',
    run: async (target) => {
      const answer = await expectStatus(400, target, 'POST', '/api/prompt', { body: { extra_data: {} } });
      const error = object(object(answer.json(), 'the answer')['error'], 'error');
      filledText(error['type'], 'error.type');
      filledText(error['message'], 'error.message');
    },
  },
  {
    id: '2.4.9',
    rows,
    title: 'partial_execution_targets runs these output nodes alone',
    run: async (target) => {
      const workflow = target.workflows.picture();
      const saver = Object.keys(workflow).find((id) => workflow[id]?.class_type === 'SaveImage') ?? '';
      const body = { prompt: workflow, partial_execution_targets: [saver] };
      const answer = await expectStatus(200, target, 'POST', '/api/prompt', { body });
      const promptId = uuid(object(answer.json(), 'the answer')['prompt_id'], 'prompt_id');
      await waitForEnd(target, promptId);
      const record = await recordOf(target, promptId);
      assert.deepEqual(Object.keys(object(record['outputs'], 'outputs')), [saver]);
    },
  },
];

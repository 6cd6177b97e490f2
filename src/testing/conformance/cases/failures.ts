import assert from 'node:assert/strict';
import type { ConformanceCase } from '../conformance-case.js';
import { recordOf, stateOf } from '../jobs.js';
import { eventsOf } from '../live-socket.js';
import { failedRun, record } from '../recordings.js';
import { filledText, list, milliseconds, object, texts } from '../shape.js';
import type { Target } from '../target.js';

/** Chapter 6.10: `execution_error` and its exception types. */
export const failureCases: readonly ConformanceCase[] = [
  {
    id: '6.10.1',
    rows: ['event:execution_error'],
    title: 'execution_error says what failed, where and why',
    run: async (target) => {
      const { workflow } = await failedRun(target, 'OOMError');
      const error = await failure(target, 'OOMError');
      assert.equal(error['node_id'], 'fail');
      assert.equal(error['node_type'], workflow['fail']?.class_type);
      assert.deepEqual(
        texts(error['executed'], 'executed').filter((id) => !Object.hasOwn(workflow, id)),
        [],
      );
      filledText(error['exception_message'], 'exception_message');
      if (error['traceback'] !== null) texts(error['traceback'], 'traceback');
      for (const [name, values] of Object.entries(object(error['current_inputs'], 'current_inputs'))) {
        list(values, `current_inputs.${name}`);
      }
      object(error['current_outputs'], 'current_outputs');
      milliseconds(error['timestamp'], 'timestamp');
    },
  },
  exceptionCase('6.10.2', 'ValidationError'),
  exceptionCase('6.10.3', 'ModelDownloadError'),
  exceptionCase('6.10.4', 'ImageDownloadError'),
  exceptionCase('6.10.5', 'OOMError'),
  exceptionCase('6.10.6', 'InsufficientFundsError'),
  exceptionCase('6.10.7', 'InactiveSubscriptionError'),
  {
    id: '6.10.8',
    rows: ['event:execution_error'],
    title: 'the job is failed, and its earlier states stay',
    run: async (target) => {
      const { promptId, messages } = await failedRun(target, 'OOMError');
      assert.equal(eventsOf(messages, 'execution_error', promptId).length, 1);
      assert.equal(await stateOf(target, promptId), 'failed');
      const told = eventsOf(messages, 'executed', promptId).map(({ data }) => [data['node'], data['output']]);
      assert.deepEqual(
        told.map(([node]) => node),
        ['before'],
      );
      const outputs = object((await recordOf(target, promptId))['outputs'], 'outputs');
      assert.deepEqual(outputs, Object.fromEntries(told));
    },
  },
  {
    id: '6.10.9',
    title: 'ExecutionBlocked ends nothing',
    run: async (target) => {
      const { promptId, messages } = await record(target, target.workflows.blocked());
      const [blocked, ...more] = eventsOf(messages, 'execution_error', promptId);
      assert.ok(blocked !== undefined && more.length === 0, 'it comes once');
      assert.equal(blocked.data['exception_type'], 'ExecutionBlocked');
      filledText(blocked.data['exception_message'], 'exception_message');
      assert.equal(blocked.data['timestamp'], undefined);
      assert.equal(eventsOf(messages, 'execution_success', promptId).length, 1);
      assert.equal(await stateOf(target, promptId), 'completed');
      const told = eventsOf(messages, 'executed', promptId).map(({ data }) => data['node']);
      assert.deepEqual(told, ['good'], 'the branch that is not blocked shows its output');
    },
  },
];

function exceptionCase(id: string, exceptionType: string): ConformanceCase {
  return {
    id,
    rows: [`exception:${exceptionType}`],
    title: `exception type ${exceptionType}`,
    run: async (target) => {
      const error = await failure(target, exceptionType);
      assert.equal(error['exception_type'], exceptionType);
      filledText(error['exception_message'], 'exception_message');
    },
  };
}

const failure = async (target: Target, exceptionType: string): Promise<Readonly<Record<string, unknown>>> => {
  const { promptId, messages } = await failedRun(target, exceptionType);
  const [event] = eventsOf(messages, 'execution_error', promptId);
  assert.ok(event !== undefined, 'execution_error comes');
  return event.data;
};

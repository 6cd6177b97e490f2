import assert from 'node:assert/strict';
import type { ConformanceCase } from '../conformance-case.js';
import { withLongJobs } from '../jobs.js';
import { endsJob, eventsOf, openSocket, type Message } from '../live-socket.js';
import {
  eventsOfRun,
  executionTypes,
  failedRun,
  interruptedRun,
  pictureRun,
  record,
  repeatedRun,
} from '../recordings.js';
import { count, filledText, list, milliseconds, object, text, texts } from '../shape.js';
import type { Target } from '../target.js';

/** Chapters 6.0 to 6.4, 6.9 and 6.11: events of a job as a whole. */
export const jobEventCases: readonly ConformanceCase[] = [
  {
    id: '6.0.1',
    title: 'the order of a run',
    run: async (target) => {
      const recording = await pictureRun(target);
      const types = executionTypes(recording);
      const end = types.indexOf('execution_success');
      assert.equal(types[0], 'execution_start');
      assert.equal(types[1], 'execution_cached');
      for (const type of ['executing', 'progress', 'progress_state', 'executed']) {
        const first = types.indexOf(type);
        assert.ok(first > 1 && first < end, `${type} comes between start and end`);
      }
      assert.deepEqual(
        new Set(types.slice(end + 1)),
        new Set(['executing']),
        'only the end mark comes after it',
      );
    },
  },
  {
    id: '6.0.2',
    title: 'one terminal event',
    run: async (target) => {
      const runs = [
        await pictureRun(target),
        await failedRun(target, 'OOMError'),
        await interruptedRun(target),
      ];
      const ends = runs.map(({ promptId, messages }) =>
        messages
          .filter((message) => endsJob(message, promptId))
          .map((message) => message.kind === 'text' && message.type),
      );
      assert.deepEqual(ends, [['execution_success'], ['execution_error'], ['execution_interrupted']]);
    },
  },
  {
    id: '6.1.1',
    rows: ['event:status'],
    title: 'status tells how many jobs are in the queue',
    run: async (target) => {
      const { messages } = await pictureRun(target);
      const counts = remaining(target, messages);
      assert.ok(counts.length > 0, 'status comes');
    },
  },
  {
    id: '6.1.2',
    rows: ['event:status'],
    title: 'status follows the queue',
    run: async (target) => {
      await using socket = await openSocket(target);
      await withLongJobs(target, 1, async () => {
        await socket.settle();
        assert.ok((remaining(target, socket.messages).at(-1) ?? 0) >= 1, 'a job is under way');
      });
      const { messages } = await record(target, target.workflows.picture());
      assert.equal(remaining(target, messages).at(-1), 0, 'no job is left');
    },
  },
  {
    id: '6.2.1',
    rows: ['event:notification'],
    title: 'notification has a value',
    run: async (target) => {
      const { messages } = await pictureRun(target);
      const events = eventsOf(messages, 'notification');
      assert.ok(events.length > 0, 'notification comes');
      for (const { data } of events) {
        filledText(data['value'], 'value');
        if (data['id'] !== undefined) text(data['id'], 'id');
      }
    },
  },
  {
    id: '6.3.1',
    rows: ['event:execution_start'],
    title: 'execution_start comes once',
    run: async (target) => {
      const [event, ...more] = await eventsOfRun(target, 'execution_start');
      assert.equal(more.length, 0, 'it comes once');
      milliseconds(event.data['timestamp'], 'timestamp');
    },
  },
  {
    id: '6.4.1',
    rows: ['event:execution_cached'],
    title: 'execution_cached names nodes',
    run: async (target) => {
      const [event] = await eventsOfRun(target, 'execution_cached');
      texts(event.data['nodes'], 'nodes');
      milliseconds(event.data['timestamp'], 'timestamp');
    },
  },
  {
    id: '6.4.2',
    rows: ['event:execution_cached'],
    title: 'a repeated workflow uses what is known',
    run: async (target) => {
      const { promptId, messages, workflow } = await repeatedRun(target);
      const [event] = eventsOf(messages, 'execution_cached', promptId);
      const cached = texts(event?.data['nodes'], 'nodes');
      assert.ok(cached.length > 0, 'nodes are named');
      for (const node of cached) assert.ok(Object.hasOwn(workflow, node), `${node} is in the workflow`);
      const ran = eventsOf(messages, 'executing', promptId).map(({ data }) => data['node']);
      for (const node of cached) assert.ok(!ran.includes(node), `${node} does not run again`);
    },
  },
  {
    id: '6.9.1',
    rows: ['event:execution_success'],
    title: 'execution_success ends a good run',
    run: async (target) => {
      const [event, ...more] = await eventsOfRun(target, 'execution_success');
      assert.equal(more.length, 0, 'it comes once');
      milliseconds(event.data['timestamp'], 'timestamp');
    },
  },
  {
    id: '6.11.1',
    rows: ['event:execution_interrupted'],
    title: 'execution_interrupted ends a cancelled run',
    run: async (target) => {
      const { promptId, messages, workflow } = await interruptedRun(target);
      const [event, ...more] = eventsOf(messages, 'execution_interrupted', promptId);
      assert.ok(event !== undefined && more.length === 0, 'it comes once');
      const node = workflow[filledText(event.data['node_id'], 'node_id')];
      assert.equal(event.data['node_type'], node?.class_type);
      assert.deepEqual(list(event.data['executed'], 'executed'), []);
      milliseconds(event.data['timestamp'], 'timestamp');
    },
  },
];

const remaining = ({ profile }: Target, messages: readonly Message[]): readonly number[] =>
  eventsOf(messages, 'status').map(({ data }) => {
    if (profile === 'interface') return count(data['queue_remaining'], 'queue_remaining');
    const info = object(object(data['status'], 'status')['exec_info'], 'exec_info');
    return count(info['queue_remaining'], 'queue_remaining');
  });

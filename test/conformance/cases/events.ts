import assert from 'node:assert/strict';
import type { ConformanceCase } from '../conformance-case.js';
import { endsJob, eventsOf, openSocket, type Message, type TextMessage } from '../live-socket.js';
import { failedRun, interruptedRun, pictureRun, record, repeatedRun, type Recording } from '../recordings.js';
import { count, filledText, list, milliseconds, number, object, text, texts } from '../shape.js';
import { withLongJobs } from '../jobs.js';
import type { Target } from '../target.js';

/** Chapter 6, but for its failures: what comes over the socket. */
export const eventCases: readonly ConformanceCase[] = [
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
      const [event, ...more] = await ofRun(target, 'execution_start');
      assert.equal(more.length, 0, 'it comes once');
      milliseconds(event.data['timestamp'], 'timestamp');
    },
  },
  {
    id: '6.4.1',
    rows: ['event:execution_cached'],
    title: 'execution_cached names nodes',
    run: async (target) => {
      const [event] = await ofRun(target, 'execution_cached');
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
    id: '6.5.1',
    rows: ['event:executing'],
    title: 'executing names the node that runs',
    run: async (target) => {
      const { promptId, messages, workflow } = await pictureRun(target);
      const nodes = (await ofRun(target, 'executing')).filter(({ data }) => (data['node'] ?? '') !== '');
      const cached = eventsOf(messages, 'execution_cached', promptId).flatMap(({ data }) => data['nodes']);
      const told = [...nodes.map(({ data }) => data['node']), ...cached];
      assert.deepEqual(told.sort(), Object.keys(workflow).sort(), 'each node that is not cached runs once');
      for (const { data } of nodes) assert.equal(data['display_node'], data['node']);
    },
  },
  {
    id: '6.5.2',
    rows: ['event:executing'],
    title: 'executing without a node comes last',
    run: async (target) => {
      for (const run of [
        await pictureRun(target),
        await failedRun(target, 'OOMError'),
        await interruptedRun(target),
      ]) {
        const types = executionTypes(run);
        const last = eventsOf(run.messages, 'executing', run.promptId).at(-1);
        assert.equal(types.at(-1), 'executing');
        assert.ok(last !== undefined && (last.data['node'] ?? '') === '', 'it has no node');
      }
    },
  },
  {
    id: '6.6.1',
    rows: ['event:progress'],
    title: 'progress has value, max and node',
    run: async (target) => {
      const { workflow } = await pictureRun(target);
      for (const { data } of await ofRun(target, 'progress')) {
        const value = number(data['value'], 'value');
        assert.ok(value >= 0 && value <= number(data['max'], 'max'), 'value is between 0 and max');
        assert.ok(Object.hasOwn(workflow, text(data['node'], 'node')), 'node is in the workflow');
      }
    },
  },
  {
    id: '6.6.2',
    rows: ['event:progress'],
    title: 'progress grows up to max',
    run: async (target) => {
      const events = (await ofRun(target, 'progress')).filter(({ data }) => data['node'] === 'sampler');
      const values = events.map(({ data }) => number(data['value'], 'value'));
      assert.ok(values.length > 0, 'the sampler tells its progress');
      assert.deepEqual(
        values,
        [...values].sort((a, b) => a - b),
        'value never goes back',
      );
      assert.equal(values.at(-1), events.at(-1)?.data['max'], 'value reaches max');
    },
  },
  {
    id: '6.7.1',
    rows: ['event:progress_state'],
    title: 'progress_state describes each node',
    run: async (target) => {
      const { promptId } = await pictureRun(target);
      for (const { data } of await ofRun(target, 'progress_state')) {
        for (const [id, entry] of Object.entries(object(data['nodes'], 'nodes'))) {
          assertNodeProgress(id, object(entry, `nodes.${id}`), promptId);
        }
      }
    },
  },
  {
    id: '6.7.2',
    rows: ['event:progress_state'],
    title: 'progress_state is a whole picture',
    run: async (target) => {
      const seen = new Set<string>();
      for (const { data } of await ofRun(target, 'progress_state')) {
        const nodes = Object.keys(object(data['nodes'], 'nodes'));
        for (const id of seen) assert.ok(nodes.includes(id), `${id} stays`);
        for (const id of nodes) seen.add(id);
      }
      assert.ok(seen.has('sampler') && seen.has('save'), 'the nodes that ran are in it');
    },
  },
  {
    id: '6.7.3',
    rows: ['event:progress_state'],
    title: 'a node is running first and finished last',
    run: async (target) => {
      const states = (await ofRun(target, 'progress_state'))
        .map(({ data }) => object(data['nodes'], 'nodes')['sampler'])
        .filter((entry) => entry !== undefined)
        .map((entry) => object(entry, 'sampler')['state'])
        .filter((state) => state !== 'pending');
      assert.equal(states[0], 'running');
      assert.equal(states.at(-1), 'finished');
      assert.equal(states.lastIndexOf('running') < states.indexOf('finished'), true, 'it does not run again');
    },
  },
  {
    id: '6.8.1',
    rows: ['event:executed'],
    title: 'executed tells the output',
    run: async (target) => {
      for (const { data } of await ofRun(target, 'executed')) {
        filledText(data['node'], 'node');
        filledText(data['display_node'], 'display_node');
        if (data['output'] !== null) object(data['output'], 'output');
      }
    },
  },
  {
    id: '6.8.2',
    rows: ['event:executed'],
    title: 'executed comes for nodes that show something',
    run: async (target) => {
      const nodes = (await ofRun(target, 'executed')).map(({ data }) => data['node']);
      assert.deepEqual(nodes.sort(), ['audio', 'preview', 'save', 'text', 'video']);
    },
  },
  {
    id: '6.9.1',
    rows: ['event:execution_success'],
    title: 'execution_success ends a good run',
    run: async (target) => {
      const [event, ...more] = await ofRun(target, 'execution_success');
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
  {
    id: '5.5',
    rows: ['binary:4', 'binary:1'],
    title: 'previews follow the handshake',
    run: async (target) => {
      const { messages, plainMessages } = await pictureRun(target);
      assert.deepEqual(previewTypes(messages), [4]);
      assert.deepEqual(previewTypes(plainMessages), [1]);
    },
  },
];

const ofRun = async (target: Target, type: string): Promise<readonly [TextMessage, ...TextMessage[]]> => {
  const { promptId, messages } = await pictureRun(target);
  const [first, ...more] = eventsOf(messages, type, promptId);
  assert.ok(first !== undefined, `${type} comes`);
  return [first, ...more];
};

const executionTypes = ({ promptId, messages }: Recording): readonly string[] =>
  messages
    .filter((message) => message.kind === 'text')
    .filter(({ type, data }) => /^(execut|progress)/.test(type) && data['prompt_id'] === promptId)
    .map(({ type }) => type);

const remaining = ({ profile }: Target, messages: readonly Message[]): readonly number[] =>
  eventsOf(messages, 'status').map(({ data }) => {
    if (profile === 'interface') return count(data['queue_remaining'], 'queue_remaining');
    const info = object(object(data['status'], 'status')['exec_info'], 'exec_info');
    return count(info['queue_remaining'], 'queue_remaining');
  });

const previewTypes = (messages: readonly Message[]): readonly number[] => [
  ...new Set(
    messages
      .filter((message) => message.kind === 'binary')
      .map(({ bytes }) => bytes.readUInt32BE(0))
      .filter((type) => type !== 3),
  ),
];

const assertNodeProgress = (id: string, entry: Record<string, unknown>, promptId: string): void => {
  number(entry['value'], `value of ${id}`);
  number(entry['max'], `max of ${id}`);
  const state = text(entry['state'], `state of ${id}`);
  assert.ok(['pending', 'running', 'finished', 'error'].includes(state), `${state} is a state of a node`);
  assert.equal(entry['node_id'], id);
  assert.equal(entry['prompt_id'], promptId);
  filledText(entry['display_node_id'], `display_node_id of ${id}`);
  filledText(entry['real_node_id'], `real_node_id of ${id}`);
  if (entry['parent_node_id'] !== null) text(entry['parent_node_id'], `parent_node_id of ${id}`);
};

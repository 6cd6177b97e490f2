import assert from 'node:assert/strict';
import type { ConformanceCase } from '../conformance-case.js';
import { eventsOf } from '../live-socket.js';
import { eventsOfRun, executionTypes, failedRun, interruptedRun, pictureRun } from '../recordings.js';
import { filledText, number, object, text } from '../shape.js';

/** Chapters 6.5 to 6.8: events of a node. */
export const nodeEventCases: readonly ConformanceCase[] = [
  {
    id: '6.5.1',
    rows: ['event:executing'],
    title: 'executing names the node that runs',
    run: async (target) => {
      const { promptId, messages, workflow } = await pictureRun(target);
      const nodes = (await eventsOfRun(target, 'executing')).filter(
        ({ data }) => (data['node'] ?? '') !== '',
      );
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
      for (const { data } of await eventsOfRun(target, 'progress')) {
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
      const events = (await eventsOfRun(target, 'progress')).filter(({ data }) => data['node'] === 'sampler');
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
      for (const { data } of await eventsOfRun(target, 'progress_state')) {
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
      for (const { data } of await eventsOfRun(target, 'progress_state')) {
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
      const states = (await eventsOfRun(target, 'progress_state'))
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
      for (const { data } of await eventsOfRun(target, 'executed')) {
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
      const nodes = (await eventsOfRun(target, 'executed')).map(({ data }) => data['node']);
      assert.deepEqual(nodes.sort(), ['audio', 'preview', 'save', 'text', 'video']);
    },
  },
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

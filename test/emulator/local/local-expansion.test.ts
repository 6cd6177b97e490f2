import { describe, expect, it } from 'vitest';
import { call, type Data } from '../support.js';
import { listenLocal, type LocalListener, openLocal, post, record, runLocal } from './support.js';

/** Node 5 expands, node 6 shows what comes of it. */
const expanding = (inputs: Data = {}): Data => ({
  5: { class_type: 'ExpandOnPurpose', inputs: { anything: 'text', nodes: 2, steps: 1, ...inputs } },
  6: { class_type: 'PreviewText', inputs: { source: ['5', 0] } },
});

const nodesOf = (listener: LocalListener, type: string): readonly unknown[] =>
  listener.heard
    .filter((message) => message.type === type)
    .map(({ data }) => [data['node'], data['display_node']]);

/** The last `progress_state`: node id → its state and where it belongs. */
const lastStates = ({ heard }: LocalListener): Data => {
  const { data } = heard.findLast(({ type }) => type === 'progress_state')!;
  return Object.fromEntries(
    Object.entries(data['nodes'] as Record<string, Data>).map(([nodeId, node]) => [
      nodeId,
      [node['state'], node['display_node_id'], node['parent_node_id'], node['real_node_id']],
    ]),
  );
};

describe('a node that expands', () => {
  it('M11: runs the nodes that it became, each under its id and the node that an editor shows', async () => {
    const emulator = await openLocal();
    const { listener, promptId } = await runLocal(emulator, expanding());
    expect(nodesOf(listener, 'executing')).toEqual([
      ['5', '5'],
      ['5.0.0.1', '5'],
      ['5.0.0.2', '5'],
      ['6', '6'],
      [null, undefined],
    ]);
    expect(lastStates(listener)).toEqual({
      '5': ['finished', '5', null, '5'],
      '5.0.0.1': ['finished', '5', '5', '5'],
      '5.0.0.2': ['finished', '5', '5', '5'],
      '6': ['finished', '6', null, '6'],
    });
    expect(await record(emulator, promptId)).toMatchObject({ outputs: { 6: { text: ['text'] } } });
  });

  it('M11: stays running until they have ended, and ends without another executing', async () => {
    const { listener } = await runLocal(await openLocal(), expanding({ nodes: 1 }));
    const states = listener.heard
      .filter(({ type }) => type === 'progress_state')
      .map(({ data }) =>
        Object.entries(data['nodes'] as Record<string, Data>).map(
          ([nodeId, { state }]) => `${nodeId} ${String(state)}`,
        ),
      );
    expect(states.slice(0, 5)).toEqual([
      ['5 running'],
      ['5 running', '5.0.0.1 running'],
      ['5 running', '5.0.0.1 running'],
      ['5 running', '5.0.0.1 finished'],
      ['5 finished', '5.0.0.1 finished'],
    ]);
  });

  it('M11: may have outputs inside, in the record under their own id with the node that they belong to', async () => {
    const emulator = await openLocal();
    const { listener, promptId } = await runLocal(emulator, expanding({ show: true }));
    expect(nodesOf(listener, 'executed')).toContainEqual(['5.0.0.shown', '5']);
    expect(await record(emulator, promptId)).toMatchObject({
      outputs: { '5.0.0.shown': { text: ['shown inside'] } },
      meta: {
        '5.0.0.shown': {
          node_id: '5.0.0.shown',
          display_node: '5',
          parent_node: '5',
          real_node_id: '5',
        },
      },
    });
  });

  it('M11: may hold a node that expands in turn', async () => {
    const { listener } = await runLocal(await openLocal(), expanding({ depth: 2 }));
    expect(lastStates(listener)).toMatchObject({
      '5.0.0.2': ['finished', '5', '5', '5'],
      '5.0.0.2.0.0.1': ['finished', '5', '5.0.0.2', '5'],
    });
  });

  it('M11: fails under its own name where a node inside fails', async () => {
    const emulator = await openLocal();
    const { listener, promptId } = await runLocal(emulator, expanding({ fail: true }));
    expect((await listener.until('execution_error')).data).toMatchObject({
      node_id: '5',
      node_type: 'ExpandOnPurpose',
      executed: ['5.0.0.1'],
      exception_message: 'Failed inside.\n',
    });
    expect(lastStates(listener)).toMatchObject({
      '5': ['running', '5', null, '5'],
      '5.0.0.2': ['running', '5', '5', '5'],
    });
    expect(await record(emulator, promptId)).toMatchObject({ status: { status_str: 'error' } });
  });

  it('M11: is interrupted under its own name, and a new socket of its client gets its id', async () => {
    const emulator = await openLocal({ speed: 20 });
    const listener = await listenLocal(emulator, 'x');
    await post(emulator, expanding({ steps: 1000 }), 'x', { prompt_id: 'p' });
    await listener.until('progress', ({ node }) => node === '5.0.0.1');
    const later = await listenLocal(emulator, 'x');
    expect((await later.until('executing')).data).toEqual({ node: '5' });
    await call(emulator, 'POST', '/interrupt', { prompt_id: 'p' });
    expect((await later.until('execution_interrupted')).data).toMatchObject({
      node_id: '5',
      node_type: 'ExpandOnPurpose',
    });
  });

  it('M11: is known as a whole in the next run', async () => {
    const emulator = await openLocal();
    await runLocal(emulator, expanding());
    const { listener } = await runLocal(emulator, expanding());
    expect((await listener.until('execution_cached')).data['nodes']).toEqual(['5', '6']);
    expect(nodesOf(listener, 'executing')).toEqual([[null, undefined]]);
  });
});

const choosing = (choice: boolean, more: Data = {}): Data => ({
  1: { class_type: 'FailOnPurpose', inputs: { exception_type: 'ValueError', message: 'left', fail: true } },
  2: { class_type: 'SlowNode', inputs: { steps: 1 } },
  3: { class_type: 'LazySwitch', inputs: { switch: choice, on_true: ['2', 0], on_false: ['1', 0] } },
  4: { class_type: 'PreviewText', inputs: { source: ['3', 0] } },
  ...more,
});

describe('a node with lazy inputs', () => {
  it('M11: begins, asks for one of them, and begins anew; what is behind the other never runs', async () => {
    const emulator = await openLocal();
    const { listener, promptId } = await runLocal(emulator, choosing(true), {
      partial_execution_targets: ['4'],
    });
    const ran = nodesOf(listener, 'executing').map((pair) => (pair as unknown[])[0]);
    expect(ran).toEqual(['3', '2', '3', '4', null]);
    expect(Object.keys(lastStates(listener))).toEqual(['2', '3', '4']);
    expect(await record(emulator, promptId)).toMatchObject({
      outputs: { 4: { text: ['1'] } },
      status: { completed: true },
    });
  });

  it('M11: fails where what it asked for fails', async () => {
    const { listener } = await runLocal(await openLocal(), choosing(false), {
      partial_execution_targets: ['4'],
    });
    expect((await listener.until('execution_error')).data).toMatchObject({ node_id: '1', executed: [] });
    expect(lastStates(listener)).toMatchObject({
      1: ['running', '1', null, '1'],
      3: ['running', '3', null, '3'],
    });
  });

  it('M11: begins once where what it asks for is known or is no link', async () => {
    const literal = {
      3: { class_type: 'LazySwitch', inputs: { on_true: 7, switch: true, on_false: ['2', 0] } },
    };
    const { listener } = await runLocal(await openLocal(), choosing(true, literal), {
      partial_execution_targets: ['4'],
    });
    expect(nodesOf(listener, 'executing').map((pair) => (pair as unknown[])[0])).toEqual(['3', '4', null]);
  });
});

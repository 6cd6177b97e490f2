import { describe, expect, it } from 'vitest';
import {
  event,
  executed,
  executing,
  fold,
  ofNodes,
  progress,
  progressState,
  promptId,
} from '../helpers/job-events.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { type JobInput, stepJobState } from '../../src/core/state/step-job-state.js';
import { outputFiles } from '../../src/core/state/output-files.js';

describe('C13: the nodes of a job', () => {
  it.each<[string, readonly [unknown, unknown][], { value: number; max: number; fraction: number }]>([
    [
      'counts',
      [
        [1, 4],
        [3, 4],
      ],
      { value: 3, max: 4, fraction: 0.75 },
    ],
    [
      'does not go back',
      [
        [3, 4],
        [1, 4],
      ],
      { value: 3, max: 4, fraction: 0.75 },
    ],
    [
      'learns how many there are',
      [
        [0, 1],
        [0, 4],
      ],
      { value: 0, max: 4, fraction: 0 },
    ],
    [
      'keeps its share when more are to come',
      [
        [5, 10],
        [6, 100],
      ],
      { value: 6, max: 100, fraction: 0.5 },
    ],
    [
      'keeps its share through a second round',
      [
        [20, 20],
        [0, 5],
        [3, 5],
      ],
      { value: 20, max: 20, fraction: 1 },
    ],
    ['has fractions', [[0.25, 1]], { value: 0.25, max: 1, fraction: 0.25 }],
    ['has no share where it cannot tell', [[0, 0]], { value: 0, max: 0, fraction: 0 }],
    ['has steps without an end', [[7, 0]], { value: 7, max: 0, fraction: 0 }],
    [
      'keeps its end when it is not told again',
      [
        [5, 10],
        [6, 0],
      ],
      { value: 6, max: 10, fraction: 0.6 },
    ],
    ['is never beyond its end', [[9, 4]], { value: 4, max: 4, fraction: 1 }],
    ['is never before its start', [[-1, 4]], { value: 0, max: 4, fraction: 0 }],
    [
      'takes what is no number as nothing',
      [
        [NaN, 4],
        ['3', 4],
        [null, 4],
      ],
      { value: 0, max: 4, fraction: 0 },
    ],
    [
      'takes an end that is no number as unknown',
      [
        [2, Infinity],
        [3, '4'],
        [3, -1],
      ],
      { value: 3, max: 0, fraction: 0 },
    ],
    ['takes the largest number', [[1e308, 1e308]], { value: 1e308, max: 1e308, fraction: 1 }],
  ])('%s', (_, told, expected) => {
    const bySteps = fold(told.map(([value, max]) => progress('1', value, max)));
    const byStates = fold(
      told.map(([value, max]) => progressState({ '1': { value, max, state: 'running' } })),
    );
    expect(bySteps.nodes['1']).toEqual({ nodeId: '1', displayNodeId: '1', phase: 'running', ...expected });
    expect(byStates.nodes['1']).toEqual(bySteps.nodes['1']);
  });

  it('are cached or finished once, then nothing moves them', () => {
    const state = fold([
      event('execution_cached', { nodes: ['1', '2'], timestamp: 1 }),
      executed('2', null),
      progress('3', 1, 4),
      progressState({ '3': { value: 4, max: 4, state: 'finished' } }),
    ]);
    expect(
      Object.values(state.nodes).map(({ nodeId, phase, fraction }) => [nodeId, phase, fraction]),
    ).toEqual([
      ['1', 'cached', 1],
      ['2', 'cached', 1],
      ['3', 'finished', 1],
    ]);
    const late = [
      executing('1'),
      progress('3', 1, 8),
      progressState({ '3': { value: 0, max: 1, state: 'running' }, '2': { state: 'error' } }),
    ];
    expect(fold(late, state)).toBe(state);
  });

  it('take their states from progress_state, of which any member may be missing', () => {
    const state = fold([
      progressState({
        '1': { value: 4, max: 4, state: 'finished', display_node_id: '1' },
        '2': {},
        '3': { state: 'pending' },
        '4': { state: 'error', value: 1, max: 2 },
        '5': null,
        '': { state: 'running' },
        '6': { state: 'dreaming', value: 1, max: 2 },
      }),
    ]);
    expect(
      Object.values(state.nodes).map(({ nodeId, phase, fraction }) => [nodeId, phase, fraction]),
    ).toEqual([
      ['1', 'finished', 1],
      ['2', 'running', 0],
      ['4', 'failed', 0.5],
      ['6', 'running', 0.5],
    ]);
  });

  it('follow each other on a server that says no more than which begins', () => {
    const state = fold([executing('1'), progress('1', 1, 4), executing('2')]);
    expect([state.nodes['1']?.phase, state.nodes['2']?.phase]).toEqual(['finished', 'running']);
    expect(fold([executing('1'), executing('2')], state)).toBe(state);
  });

  it('run side by side where progress_state tells which do', () => {
    const both = progressState({ '1': { value: 0, max: 1, state: 'running' } });
    const state = fold([both, executing('1'), executing('2'), progress('1', 1, 4)]);
    expect([state.nodes['1']?.phase, state.nodes['2']?.phase]).toEqual(['running', 'running']);
    expect(state.nodes['1']?.fraction).toBe(0.25);
  });

  it('M10: that run when the job ends are finished where it completes, and stopped where it does not', () => {
    const running = fold([progress('1', 1, 4)]);
    expect(stepJobState(running, event('execution_success')).nodes['1']).toMatchObject({
      phase: 'finished',
      value: 4,
      fraction: 1,
    });
    const ends: readonly JobInput[] = [
      event('execution_interrupted'),
      event('execution_error', { node_id: '2', exception_type: 'E', exception_message: 'm' }),
      { _tag: 'Untraceable', promptId },
      { _tag: 'StatusRead', promptId, phase: 'cancelled' },
      { _tag: 'HistoryRead', promptId, phase: 'failed', outputs: {} },
    ];
    for (const end of ends)
      expect(stepJobState(running, end).nodes['1']).toMatchObject({ phase: 'stopped', fraction: 0.25 });
  });

  it('keep their text while they go on, and their steps when they settle', () => {
    const said: JobInput = { _tag: 'Text', promptId, nodeId: '1', text: 'half' };
    const state = fold([said, progress('1', 1, 4)]);
    expect(state.nodes['1']).toMatchObject({ text: 'half', value: 1, max: 4 });
    expect(fold([executed('1', null), progress('1', 9, 10)], state).nodes['1']).toMatchObject({
      text: 'half',
      phase: 'finished',
      value: 4,
      max: 4,
    });
    const failed = fold([progressState({ '1': { state: 'error' } }), progress('1', 2, 4)], state);
    expect(failed.nodes['1']).toMatchObject({ phase: 'failed', value: 1 });
  });

  it('do not change by what was told before', () => {
    const said: JobInput = { _tag: 'Text', promptId, nodeId: '1', text: 'half' };
    const output = executed('2', { images: [{ filename: 'a.png' }] });
    const state = fold([said, progress('1', 1, 4), output]);
    for (const again of [said, progress('1', 1, 4), output]) expect(stepJobState(state, again)).toBe(state);
  });

  it('have no more steps than they were told to have', () => {
    expect(fold([progress('1', 5, 1)]).nodes['1']).toMatchObject({ value: 1, max: 1, fraction: 1 });
  });

  it('D15: are none where a list of them is no list', () => {
    const events = [
      event('execution_cached', { nodes: 'all' }),
      event('progress_state', { nodes: null }),
      event('executed', { output: { images: [] } }),
    ];
    const { nodes, outputs } = fold(events);
    expect([Object.keys(nodes), Object.keys(outputs)]).toEqual([[], []]);
  });

  it('keep their latest text', () => {
    const text = (nodeId: string, said: string, of?: string): JobInput => ({
      _tag: 'Text',
      nodeId,
      text: said,
      promptId: of,
    });
    const state = fold([
      text('1', 'one', promptId),
      text('1', 'two'),
      text('1', 'foreign', 'other'),
      text('', 'nobody'),
    ]);
    expect(Object.values(state.nodes).map(({ nodeId, text: said }) => [nodeId, said])).toEqual([
      ['1', 'two'],
    ]);
    expect(fold([text('1', 'early')], initialJobState()).nodes['1']?.text).toBe('early');
  });

  it('remember where they belong', () => {
    const state = fold([
      executing('5.0.0.1', '5'),
      progressState({
        '5.0.0.2': { display_node_id: '5', state: 'running' },
        '5.0.0.1': { display_node_id: null },
      }),
      executed('5.0.0.3', { images: [{ filename: 'a.png' }] }, '5'),
      executing('5.0.0.2', ''),
    ]);
    expect(Object.values(state.nodes).map(({ displayNodeId }) => displayNodeId)).toEqual(['5', '5', '5']);
    expect(outputFiles(state.outputs, state)).toMatchObject([{ nodeId: '5.0.0.3', displayNodeId: '5' }]);
  });

  it('have any id', () => {
    const odd = progressState(
      JSON.parse('{"__proto__": {"value": 1, "max": 2}, "constructor": {"value": 1, "max": 4}}') as object,
    );
    const state = fold([
      odd,
      executing('__proto__'),
      executed('__proto__', { text: ['x'] }),
      event('execution_cached', { nodes: ['toString', 7, ''] }),
    ]);
    expect(Object.keys(state.nodes)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.keys(state.outputs)).toEqual(['__proto__']);
    const more = fold([progress('7', 1, 2)], state);
    expect(Object.keys(more.nodes)).toEqual(['7', '__proto__', 'constructor', 'toString']);
    expect([Object.getPrototypeOf(state.nodes), Object.getPrototypeOf(state.outputs)]).toEqual([null, null]);
  });

  it('stand in the order in which they were told of, as the members of an object do', () => {
    const told = ['b', '12', '007', '0', 'a', '-1', '1.5', '00', '12:3', '1000000'];
    const state = fold(told.map((nodeId) => progress(nodeId, 1, 2)));
    expect(Object.keys(state.nodes)).toEqual(Object.keys(Object.fromEntries(told.map((id) => [id, 0]))));
  });

  it('share what does not change', () => {
    const before = fold([progress('1', 1, 4), progress('2', 1, 4)], ofNodes(2));
    const after = stepJobState(before, progress('2', 2, 4));
    expect(after.nodes['1']).toBe(before.nodes['1']);
    expect(after.outputs).toBe(before.outputs);
    expect(stepJobState(after, executed('2', null)).outputs).toBe(before.outputs);
    expect(stepJobState(before, { _tag: 'StatusRead', promptId, phase: 'in_progress' }).nodes).toBe(
      before.nodes,
    );
  });
});

describe('the overall progress of a job', () => {
  it('is the mean over the nodes of the workflow', () => {
    const state = fold([event('execution_cached', { nodes: ['1'] }), progress('2', 1, 2)], ofNodes(4));
    expect(state.progress).toBe(0.375);
  });

  it('counts nodes that appear on the way, and does not go back for them', () => {
    const all = fold([event('execution_cached', { nodes: ['1', '2'] })], ofNodes(2));
    expect(all.progress).toBe(0.99);
    const grown = fold([progress('2.0.0.1', 0, 4), progress('2.0.0.2', 0, 4)], all);
    expect([grown.nodeCount, grown.progress]).toEqual([4, 0.99]);
  });

  it('counts no chain that leads to no output, and grows where such a node runs all the same', () => {
    const node = (class_type: string, from?: string) => ({
      class_type,
      inputs: from === undefined ? {} : { image: [from, 0] },
    });
    const workflow = {
      '1': node('LoadImage'),
      '2': node('SaveImage', '1'),
      '3': node('ImageInvert', '1'),
      '4': node('ImageBlur', '3'),
    };
    const half = fold([executed('1', null)], initialJobState({ promptId, workflow }));
    expect(half.progress).toBe(0.5);
    const grown = fold([executing('3'), executing('2')], half);
    expect([grown.nodeCount, grown.progress]).toEqual([3, 2 / 3]);
  });

  it('takes one more node to come where the number is unknown', () => {
    const state = fold([progress('1', 2, 2), progress('2', 1, 2)]);
    expect(state.progress).toBe(0.5);
    expect('nodeCount' in state).toBe(false);
  });

  it('is 1 once completed, and only then', () => {
    expect(fold([event('execution_success')], ofNodes(7)).progress).toBe(1);
    expect(
      fold([event('execution_cached', { nodes: ['1'] }), event('execution_interrupted')], ofNodes(1))
        .progress,
    ).toBe(0.99);
  });
});

it('stepJobState folds a long job without growing', () => {
  const events = Array.from({ length: 10_000 }, (_, n) =>
    progress(String((n % 20) + 1), Math.floor(n / 20), 500),
  );
  const state = fold([...events, ...events], ofNodes(20));
  expect([Object.keys(state.nodes).length, state.warnings.length, state.nodes['20']?.value]).toEqual([
    20, 0, 499,
  ]);
});

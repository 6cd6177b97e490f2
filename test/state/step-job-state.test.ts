import { describe, expect, it } from 'vitest';
import type { EventFrame } from '../../src/core/protocol/frames/frame.js';
import {
  event,
  executed,
  executing,
  fold,
  progress,
  progressState,
  promptId,
} from '../helpers/job-events.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { isTerminal, type JobPhase } from '../../src/core/state/job-state.js';
import { type JobInput, stepJobState } from '../../src/core/state/step-job-state.js';
import type { JobFailure } from '../../src/core/state/failure.js';

const failure: JobFailure = {
  exceptionType: 'OOMError',
  exceptionMessage: 'no room',
  traceback: [],
  nodeErrors: {},
};

describe('stepJobState: the job', () => {
  it('goes from the submission to the end', () => {
    const states: JobPhase[] = [];
    [
      { _tag: 'Accepted', promptId, nodeErrors: {} } as const,
      event('execution_start', { timestamp: 1000 }),
      executing('1'),
      event('execution_success', { timestamp: 2000 }),
    ].reduce((state, next) => {
      const after = stepJobState(state, next);
      states.push(after.phase);
      return after;
    }, initialJobState());
    expect(states).toEqual(['pending', 'in_progress', 'in_progress', 'completed']);
  });

  it('takes the times of the service', () => {
    const state = fold([
      event('execution_start', { timestamp: 1000 }),
      event('execution_start', { timestamp: 1500 }),
      event('execution_success', { timestamp: 2000 }),
    ]);
    expect([state.startedAt, state.endedAt]).toEqual([1000, 2000]);
    const stopped = fold([event('execution_interrupted', { timestamp: 2000 })]);
    expect(stopped.endedAt).toBe(2000);
    const reported = { _tag: 'HistoryRead', promptId, phase: 'completed', outputs: {} } as const;
    const late = fold([
      event('execution_start', { timestamp: 1000 }),
      { ...reported, startedAt: 1, endedAt: 3 },
    ]);
    expect([late.startedAt, late.endedAt]).toEqual([1000, 3]);
    expect(fold([{ ...reported, startedAt: 1 }]).startedAt).toBe(1);
    expect('startedAt' in fold([{ ...reported, startedAt: NaN }])).toBe(false);
    const odd = fold([
      event('execution_start', { timestamp: 'noon' }),
      event('execution_success', { timestamp: NaN }),
    ]);
    expect([odd.startedAt, odd.endedAt]).toEqual([undefined, undefined]);
  });

  it.each<[string, JobInput]>([
    ['execution_cached', event('execution_cached', { nodes: [] })],
    ['executing', executing('1')],
    ['progress', progress(null, 1, 2)],
    ['progress_state', progressState({})],
    ['executed', executed('1', null)],
    ['Text', { _tag: 'Text', promptId, nodeId: '1', text: 'hi' }],
    ['StatusRead', { _tag: 'StatusRead', promptId, phase: 'in_progress' }],
  ])('runs as soon as %s says so, also where the start was missed', (_, next) => {
    expect(fold([next]).phase).toBe('in_progress');
  });

  it.each<[string, JobInput]>([
    ['executing without a node', executing(null)],
    ['executing with an empty node', executing('')],
    ['executing with an absent node', executing(undefined)],
    ['Preview', { _tag: 'Preview', promptId, mediaType: 'image/png', image: new Uint8Array() }],
    ['Unknown', { _tag: 'Unknown', kind: 'text', type: 'new', promptId, message: {} }],
    ['status', { _tag: 'Event', type: 'status', data: { queue_remaining: 1 } }],
    ['pending', { _tag: 'StatusRead', promptId, phase: 'pending' }],
    ['submitting', { _tag: 'StatusRead', promptId, phase: 'submitting' }],
    ['an event without a job', { ...executing('1'), promptId: undefined }],
    ['an event of another job', { ...event('execution_success'), promptId: 'other' }],
    ['a status of another job', { _tag: 'StatusRead', promptId: 'other', phase: 'failed' }],
    ['a record of another job', { _tag: 'HistoryRead', promptId: 'other', outputs: {}, phase: 'failed' }],
    [
      'another job accepted',
      {
        _tag: 'Accepted',
        promptId: 'other',
        nodeErrors: { '1': { classType: '', dependentOutputs: [], errors: [] } },
      },
    ],
    ['another job untraceable', { _tag: 'Untraceable', promptId: 'other' }],
    ['progress of no node', { ...progress(null, 1, 2) }],
    ['an event without data', { ...event('progress_state'), data: null } as unknown as EventFrame],
  ])('is not changed by %s', (_, next) => {
    const running = fold([event('execution_start', { timestamp: 1 }), executing('1')]);
    expect(stepJobState(running, next)).toBe(running);
  });

  it.each<[JobInput, JobPhase]>([
    [event('execution_success'), 'completed'],
    [event('execution_error', { exception_type: 'ValueError', exception_message: 'boom' }), 'failed'],
    [event('execution_interrupted', { node_id: '1' }), 'cancelled'],
    [{ _tag: 'StatusRead', promptId, phase: 'completed' }, 'completed'],
    [{ _tag: 'StatusRead', promptId, phase: 'failed' }, 'failed'],
    [{ _tag: 'StatusRead', promptId, phase: 'cancelled' }, 'cancelled'],
    [{ _tag: 'StatusRead', promptId, phase: 'untraceable' }, 'untraceable'],
    [{ _tag: 'HistoryRead', promptId, phase: 'completed', outputs: {} }, 'completed'],
    [{ _tag: 'HistoryRead', promptId, phase: 'failed', outputs: {} }, 'failed'],
    [{ _tag: 'HistoryRead', promptId, phase: 'cancelled', outputs: {} }, 'cancelled'],
    [{ _tag: 'Refused', failure }, 'failed'],
    [{ _tag: 'Untraceable', promptId }, 'untraceable'],
  ])('ends by %j as %s, and stays so', (last, phase) => {
    for (const from of [initialJobState(), initialJobState({ promptId }), fold([executing('1')])]) {
      const ended = stepJobState(from, last);
      expect(ended.phase).toBe(phase);
      expect(isTerminal(ended.phase)).toBe(true);
      expect(stepJobState(ended, event('execution_success'))).toBe(ended);
      expect(
        stepJobState(ended, { _tag: 'HistoryRead', promptId, phase: 'failed', outputs: { '1': {} } }),
      ).toBe(ended);
      expect(stepJobState(ended, { _tag: 'Refused', failure })).toBe(ended);
    }
  });

  it('takes the first job that is named, where it has none yet', () => {
    const accepted = fold(
      [
        { _tag: 'Accepted', promptId, nodeErrors: {} },
        { ...executing('1'), promptId: 'other' },
      ],
      initialJobState(),
    );
    expect([accepted.promptId, accepted.phase, Object.keys(accepted.nodes)]).toEqual([
      promptId,
      'pending',
      [],
    ]);
    expect(fold([executing('1')], initialJobState())).toMatchObject({ promptId, phase: 'in_progress' });
    expect(
      fold(
        [{ _tag: 'Preview', promptId, mediaType: 'image/png', image: new Uint8Array() }],
        initialJobState(),
      ),
    ).toMatchObject({ promptId, phase: 'pending' });
    expect(fold([{ _tag: 'Malformed', reason: '', size: 0, sample: '' }], initialJobState()).promptId).toBe(
      '',
    );
  });

  it('says why the submission was refused', () => {
    expect(fold([{ _tag: 'Refused', failure }], initialJobState()).failure).toBe(failure);
  });

  it.each<JobInput>([
    { _tag: 'Accepted', promptId, nodeErrors: {} },
    { _tag: 'StatusRead', promptId, phase: 'pending' },
    { _tag: 'HistoryRead', promptId, outputs: {} },
  ])('returns the same state of a running job for %j', (reported) => {
    const running = fold([executing('1')]);
    expect(stepJobState(running, reported)).toBe(running);
  });

  it('waits where the status says so, and takes its name though it has a phase', () => {
    expect(fold([{ _tag: 'StatusRead', promptId, phase: 'pending' }]).phase).toBe('pending');
    const submitting = { ...initialJobState({ promptId }), phase: 'submitting' } as const;
    expect(fold([{ _tag: 'HistoryRead', promptId, outputs: {} }], submitting).phase).toBe('pending');
    const nameless = { ...initialJobState(), phase: 'in_progress' } as const;
    const named = stepJobState(nameless, { _tag: 'Accepted', promptId, nodeErrors: {} });
    expect([named.promptId, named.phase]).toEqual([promptId, 'in_progress']);
  });

  it('keeps what validation dropped while it accepted the rest', () => {
    const nodeErrors = { '3': { classType: 'KSampler', dependentOutputs: ['9'], errors: [] } };
    const accepted = fold([{ _tag: 'Accepted', promptId, nodeErrors }], initialJobState());
    expect(accepted.nodeErrors).toBe(nodeErrors);
    expect(
      stepJobState(accepted, { _tag: 'Accepted', promptId, nodeErrors: structuredClone(nodeErrors) }),
    ).toBe(accepted);
  });
});

describe('stepJobState: the node that failed', () => {
  it('is absent where the job was cancelled, even if the record has one', () => {
    const reported = { _tag: 'HistoryRead', promptId, phase: 'cancelled', outputs: {} } as const;
    const state = fold([executing('3'), { ...reported, failure: { ...failure, nodeId: '3' } }]);
    expect([state.nodes['3']?.phase, state.failure]).toEqual(['stopped', undefined]);
  });

  const blamed: JobFailure = { ...failure, nodeId: '3', nodeType: 'KSampler' };
  const sources: readonly (readonly [string, JobInput])[] = [
    ['the socket', event('execution_error', { node_id: '3', exception_type: 'OOMError' })],
    ['the record', { _tag: 'HistoryRead', promptId, phase: 'failed', failure: blamed, outputs: {} }],
    ['the status', { _tag: 'StatusRead', promptId, phase: 'failed', failure: blamed }],
  ];

  it.each(sources)('F25: is failed in the last state, by %s', (_, end) => {
    expect(fold([executing('3'), end]).nodes['3']?.phase).toBe('failed');
    expect(fold([end]).nodes['3']?.phase).toBe('failed');
  });

  it.each(sources)('F25: is failed though another one began after it, by %s', (_, end) => {
    const { nodes } = fold([executing('3'), executing('4'), end]);
    expect([nodes['3']?.phase, nodes['4']?.phase]).toEqual(['failed', 'stopped']);
  });

  it('M12: does not end a node by the first of the nodes that it expanded into, also without progress_state', () => {
    const inner = (node: string) => event('executing', { node, display_node: '5' });
    const begun = [
      executing('4'),
      executing('5'),
      inner('5.0.0.1'),
      inner('5.0.0.2'),
      inner('5.0.0.2.0.0.1'),
    ];
    const phases = (events: readonly JobInput[]) =>
      Object.fromEntries(Object.values(fold(events).nodes).map(({ nodeId, phase }) => [nodeId, phase]));
    expect(phases(begun)).toEqual({
      4: 'finished',
      5: 'running',
      '5.0.0.1': 'finished',
      '5.0.0.2': 'running',
      '5.0.0.2.0.0.1': 'running',
    });
    const next = { 4: 'finished', 5: 'finished', '5.0.0.1': 'finished', '5.0.0.2': 'finished' };
    expect(phases([...begun, executing('6')])).toEqual({
      ...next,
      '5.0.0.2.0.0.1': 'finished',
      6: 'running',
    });
    expect(phases([...begun, executing('5.1')])).toMatchObject({ ...next, '5.1': 'running' });
  });

  it('M10: leaves no inner node of the expansion running whose node the failure names', () => {
    const inner = event('executing', { node: '3.0.0.1', display_node: '3' });
    const other = event('executing', { node: '31', display_node: '31' });
    const exact = event('progress_state', { nodes: {} });
    const failed = event('execution_error', { node_id: '3', exception_type: 'E', exception_message: 'm' });
    const { nodes } = fold([exact, executing('3'), inner, other, failed]);
    expect([nodes['3']?.phase, nodes['3.0.0.1']?.phase, nodes['31']?.phase]).toEqual([
      'failed',
      'failed',
      'stopped',
    ]);
  });
});

describe('stepJobState: outputs', () => {
  const a = { filename: 'a.png', subfolder: '', type: 'output' };
  const b = { filename: 'b.png', subfolder: '', type: 'output' };

  it('add up', () => {
    const state = fold([
      executed('9', { images: [a] }),
      executed('9', { images: [a, b], text: ['x'] }),
      executed('10', null),
      executed('11', ['no object']),
      { _tag: 'HistoryRead', promptId, outputs: { '12': { audio: [a] } } },
    ]);
    expect(state.outputs).toEqual({
      '9': { images: [a, b], text: ['x'] },
      '11': { '': ['no object'] },
      '12': { audio: [a] },
    });
    expect([state.outputsComplete, state.phase]).toEqual([false, 'in_progress']);
  });

  it("are exactly history's once its record is final and complete, all in one step", () => {
    const reported = { '9': { images: [b, a] } };
    const state = stepJobState(fold([executed('9', { pictures: [a] })]), {
      _tag: 'HistoryRead',
      promptId,
      phase: 'completed',
      outputs: reported,
      isFinal: true,
      startedAt: 1000,
      endedAt: 2000,
    });
    expect(state.outputs).toEqual({ '9': { images: [b, a], pictures: [] } });
    expect(state).toMatchObject({
      outputsComplete: true,
      phase: 'completed',
      progress: 1,
      startedAt: 1000,
      endedAt: 2000,
    });
  });

  it.each([
    ['fewer files of a node', { '9': { images: [b] } }, { '9': { images: [b, a], text: ['x'] } }],
    ['not the node', { '8': { images: [a] } }, { '8': { images: [a] }, '9': { images: [a], text: ['x'] } }],
    ['no file', {}, { '9': { images: [a], text: ['x'] } }],
  ])('F15: keep what events reported where history has %s, and are not complete', (_, outputs, expected) => {
    const state = stepJobState(fold([executed('9', { images: [a], text: ['x'] })]), {
      _tag: 'HistoryRead',
      promptId,
      phase: 'completed',
      outputs,
      isFinal: true,
    });
    expect([state.outputs, state.outputsComplete]).toEqual([expected, false]);
  });

  it('F16: are not complete where the record is not final', () => {
    const end: JobInput = {
      _tag: 'HistoryRead',
      promptId,
      phase: 'completed',
      outputs: { '9': { images: [a] } },
    };
    expect(stepJobState(fold([]), end)).toMatchObject({ phase: 'completed', outputsComplete: false });
    expect(stepJobState(fold([]), { ...end, isFinal: true }).outputsComplete).toBe(true);
  });

  it('of an end that history did not confirm are those that were seen', () => {
    const state = fold([executed('9', { images: [a] }), event('execution_success')]);
    expect([state.outputs, state.outputsComplete]).toEqual([{ '9': { images: [a] } }, false]);
  });

  it.each([
    ['when it started', { startedAt: 1 }, 'in_progress'],
    ['outputs', { outputs: { 9: { images: [] } } }, 'in_progress'],
    ['neither', {}, 'pending'],
  ] as const)('marks a job as running whose record has %s', (_, more, phase) => {
    const read = { _tag: 'HistoryRead', promptId: 'p', outputs: {}, ...more } as const;
    expect(stepJobState(initialJobState({ promptId: 'p' }), read).phase).toBe(phase);
  });
});

describe('foldEvent: failure', () => {
  it('has the reason and the node', () => {
    const state = fold([
      progress('3', 1, 4),
      event('execution_error', {
        exception_type: 'ValueError',
        exception_message: 'boom\n',
        node_id: '3',
        node_type: 'KSampler',
        traceback: ['t'],
        timestamp: 9,
      }),
    ]);
    expect(state.failure).toEqual({
      exceptionType: 'ValueError',
      exceptionMessage: 'boom',
      nodeId: '3',
      nodeType: 'KSampler',
      traceback: ['t'],
      nodeErrors: {},
    });
    expect(state.nodes['3']).toMatchObject({ phase: 'failed', value: 1, max: 4, fraction: 0.25 });
    expect([state.endedAt, state.progress < 1]).toEqual([9, true]);
  });

  it('carries the refusal of a validation that came after the submission', () => {
    const state = fold([
      event('execution_error', {
        exception_type: 'ValidationError',
        exception_message: 'Refused: {"error":{},"node_errors":{"3":{"class_type":"KSampler"}}}',
        node_id: null,
      }),
    ]);
    expect(state.failure?.nodeErrors['3']?.classType).toBe('KSampler');
    expect(Object.keys(state.nodes)).toEqual([]);
  });

  it('takes ExecutionBlocked as a warning: the run goes on and may end well', () => {
    const blocked = event('execution_error', {
      exception_type: 'ExecutionBlocked',
      exception_message: 'no model\n',
      node_id: '2',
      traceback: [],
    });
    const other = event('execution_error', {
      exception_type: 'ExecutionBlocked',
      exception_message: 'no mask',
      node_id: '5',
    });
    const state = fold([executing('1'), blocked, other, blocked]);
    expect([state.phase, state.warnings, state.failure]).toEqual([
      'in_progress',
      ['no model', 'no mask'],
      undefined,
    ]);
    expect(stepJobState(state, event('execution_success')).phase).toBe('completed');
  });

  it('always has one, also where the source gave none', () => {
    expect(fold([{ _tag: 'StatusRead', promptId, phase: 'failed', failure }]).failure).toBe(failure);
    expect(fold([{ _tag: 'StatusRead', promptId, phase: 'failed' }]).failure?.exceptionType).toBe('Unknown');
    expect(
      fold([{ _tag: 'HistoryRead', promptId, phase: 'failed', outputs: {} }]).failure?.exceptionType,
    ).toBe('Unknown');
    expect(fold([{ _tag: 'StatusRead', promptId, phase: 'cancelled', failure }]).failure).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { event, executing, fold, progress, promptId } from '../helpers/job-events.js';
import type { JobFailure } from '../../src/state/failure.js';
import { stepJobState } from '../../src/state/step-job-state.js';

const failure: JobFailure = {
  exceptionType: 'OOMError',
  exceptionMessage: 'no room',
  traceback: [],
  nodeErrors: {},
};

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

import { describe, expect, it } from 'vitest';
import { isProgress, isState, isStatus } from '../../../src/server/queue/store/event-shapes.js';
import type { JobPhase } from '../../../src/core/state/job-state.js';

const status = { phase: 'pending', nodeErrors: {} };
const progress = { nodes: {} };
const failure = { exceptionType: 'X', exceptionMessage: 'why', traceback: [] };

describe('the status of a stored job', () => {
  const phases: Readonly<Record<JobPhase, true>> = {
    ...({ submitting: true, pending: true, in_progress: true, completed: true, failed: true } as const),
    ...({ cancelled: true, untraceable: true, unknown: true } as const),
  };

  it.each(Object.keys(phases))('has the phase %s', (phase) => {
    expect(isStatus({ ...status, phase })).toBe(true);
  });

  it.each([
    [{ promptId: 'p' }],
    [{ failure }],
    [{ failure: { ...failure, traceback: ['a'], candidates: ['p'] } }],
    [{ socketImages: [{ nodeId: '1', mediaType: 'image/png' }] }],
    [{ queuedAt: 1, startedAt: 2, endedAt: 3.5 }],
    [{ nodeErrors: { 1: {} } }],
    [{ somethingLater: [] }],
  ])('may have %j', (more) => {
    expect(isStatus({ ...status, ...more })).toBe(true);
  });

  it.each<readonly [unknown]>([
    [null],
    ['pending'],
    [[]],
    [{}],
    [{ ...status, phase: '' }],
    [{ ...status, phase: undefined }],
    [{ ...status, nodeErrors: undefined }],
    [{ ...status, nodeErrors: { 1: 'x' } }],
    [{ ...status, promptId: 7 }],
    ...['queuedAt', 'startedAt', 'endedAt'].flatMap((name): readonly (readonly [unknown])[] => [
      [{ ...status, [name]: '1' }],
      [{ ...status, [name]: Infinity }],
    ]),
    [{ ...status, failure: 'why' }],
    [{ ...status, failure: null }],
    [{ ...status, failure: { ...failure, exceptionType: 7 } }],
    [{ ...status, failure: { ...failure, exceptionMessage: undefined } }],
    [{ ...status, failure: { ...failure, traceback: 'a' } }],
    [{ ...status, failure: { ...failure, traceback: [7] } }],
    [{ ...status, failure: { ...failure, candidates: {} } }],
    [{ ...status, socketImages: {} }],
    [{ ...status, socketImages: [null] }],
    [{ ...status, socketImages: [{ nodeId: 1, mediaType: 'image/png' }] }],
    [{ ...status, socketImages: [{ nodeId: '1' }] }],
  ])('is not %j', (value) => {
    expect(isStatus(value)).toBe(false);
  });
});

describe('the progress of a stored job', () => {
  it.each([[{}], [{ progress: 0.5, nodeCount: 3 }], [{ nodes: { 1: {}, 2: { value: 1, max: 2 } } }]])(
    'may have %j',
    (more) => {
      expect(isProgress({ ...progress, ...more })).toBe(true);
    },
  );

  it.each<readonly [unknown]>([
    [null],
    [{}],
    [{ nodes: [] }],
    [{ nodes: { 1: 7 } }],
    [{ nodes: { 1: { value: '1' } } }],
    [{ nodes: { 1: { max: NaN } } }],
    [{ nodes: { 1: {}, 2: null } }],
    [{ ...progress, progress: '0.5' }],
    [{ ...progress, nodeCount: null }],
  ])('is not %j', (value) => {
    expect(isProgress(value)).toBe(false);
  });
});

it('a stored state has status, progress and outputs', () => {
  const state = { ...status, ...progress, outputs: {} };
  expect([isState(state), isState({ ...state, outputs: { 1: {} } })]).toEqual([true, true]);
  for (const wrong of [
    { ...state, phase: 'x' },
    { ...state, nodes: 7 },
    { ...state, outputs: undefined },
    { ...state, outputs: { 1: [] } },
    undefined,
  ])
    expect(isState(wrong)).toBe(false);
});

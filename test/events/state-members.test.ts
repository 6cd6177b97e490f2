import { applyJobEvent } from '../../src/core/events/apply-job-event.js';
import { changesBetween } from '../../src/core/events/changes-between.js';
import { describe, expect, it } from 'vitest';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { progressOf, statusOf } from '../../src/core/events/state-members.js';
import { readJobEvent } from '../../src/core/events/read-job-event.js';

const outputs = { 2: { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] } };
const node = { nodeId: '2', displayNodeId: '2', phase: 'running' as const, value: 1, max: 2, fraction: 0.5 };
const state: JobState = {
  ...initialJobState({ promptId: 'p', workflow: { 2: { class_type: 'A', inputs: {} } } }),
  ...{
    phase: 'in_progress',
    startedAt: 5,
    progress: 0.5,
    nodes: { 2: node },
    nodeCount: 1,
    plan: { nodes: [{ nodeId: '2', ms: 900, spread: 0.15, kind: 0 }] },
    exactNodes: true,
  },
  outputs,
};

describe('the members of a state', () => {
  it('are those of where it stands, those of how far it is, and its outputs', () => {
    const status = statusOf(state);
    const progress = progressOf(state);
    expect({ ...status, ...progress, outputs }).toEqual(state);
    expect(Object.keys(progress).sort()).toEqual(['exactNodes', 'nodeCount', 'nodes', 'plan', 'progress']);
    expect(Object.keys(status).filter((name) => name in progress || name === 'outputs')).toEqual([]);
    const bare = initialJobState({ promptId: 'p' });
    expect(Object.keys(progressOf(bare)).sort()).toEqual(['nodes', 'progress']);
  });
});

describe('the events between two states', () => {
  const types = (next: JobState) => changesBetween(state, next, 1).map(({ type }) => type);

  it('are no more than what changed', () => {
    expect(types({ ...state, startedAt: 6 })).toEqual(['status']);
    expect(types({ ...state, progress: 0.6 })).toEqual(['progress']);
    expect(types({ ...state, nodeCount: 2 })).toEqual(['progress']);
    expect(types({ ...state, outputs: { ...outputs, 3: outputs[2] } })).toEqual(['output']);
    expect(types({ ...state, outputs: JSON.parse(JSON.stringify(outputs)) as typeof outputs })).toEqual([]);
    expect(types({ ...state })).toEqual([]);
  });

  it('are one status at the end, which alone holds the last progress', () => {
    const end: JobState = { ...state, phase: 'completed', progress: 1 };
    expect(changesBetween(state, end, 7)).toEqual([
      { type: 'status', at: 7, status: statusOf(end), progress: progressOf(end) },
    ]);
    const [later] = changesBetween(end, { ...end, progress: 0.9 }, 8);
    expect(later).toMatchObject({ type: 'status', progress: { progress: 0.9 } });
    expect(changesBetween(state, { ...state, startedAt: 6 }, 7)[0]).toEqual({
      ...{ type: 'status', at: 7, status: statusOf({ ...state, startedAt: 6 }) },
    });
  });

  it('list a file of two keys once, and a node with files that are new under the id that it shows', () => {
    const [file] = outputs[2].images;
    const more = { filename: 'b.png', subfolder: '', type: 'output' };
    const next = { ...state, outputs: { 2: { images: [file!, more], a: [more] } } };
    const [event] = changesBetween(state, next, 1);
    expect(event).toMatchObject({ type: 'output', nodeId: '2', outputs: next.outputs[2] });
    expect(event?.type === 'output' && event.added.map(({ filename }) => filename)).toEqual(['b.png']);
  });

  it('are different where they are too deep to be compared', () => {
    const deep = (): unknown => Array.from({ length: 20_000 }).reduce<unknown>((inner) => [inner], 1);
    const one = { ...state, outputs: { 2: { deep: [deep()] } } } as unknown as JobState;
    const other = { ...one, outputs: { 2: { deep: [deep()] } } } as unknown as JobState;
    expect(changesBetween(one, one, 1)).toEqual([]);
    expect(changesBetween(one, other, 1).map(({ type }) => type)).toEqual(['output']);
  });
});

describe('an event', () => {
  it('of a submission is the state, and one that a cancellation was asked for changes none', () => {
    const other = initialJobState({ promptId: 'q' });
    expect(applyJobEvent(other, { type: 'submitted', at: 1, state })).toBe(state);
    expect(applyJobEvent(state, { type: 'cancelRequested', at: 1 })).toBe(state);
  });

  it('has its records without a prototype again, wherever they stand', () => {
    const wire = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A;
    const submitted = readJobEvent(wire({ type: 'submitted' as const, at: 1, state }));
    expect(submitted).toMatchObject({ type: 'submitted', at: 1 });
    for (const name of ['nodes', 'outputs', 'nodeErrors'] as const)
      expect(Object.getPrototypeOf(submitted.state[name])).toBeNull();
    const status = readJobEvent(
      wire({ type: 'status' as const, at: 1, status: statusOf(state), progress: progressOf(state) }),
    );
    expect(Object.getPrototypeOf(status.status.nodeErrors)).toBeNull();
    expect(Object.getPrototypeOf(status.progress.nodes)).toBeNull();
    expect(
      'progress' in readJobEvent(wire({ type: 'status' as const, at: 1, status: statusOf(state) })),
    ).toBe(false);
    const progress = readJobEvent(wire({ type: 'progress' as const, at: 1, progress: progressOf(state) }));
    expect(Object.getPrototypeOf(progress.progress.nodes)).toBeNull();
    const asked = { type: 'cancelRequested' as const, at: 1 };
    expect(readJobEvent(asked)).toBe(asked);
  });
});

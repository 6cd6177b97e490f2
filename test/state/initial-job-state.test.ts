import { describe, expect, it } from 'vitest';
import { initialJobState, nodesToRun } from '../../src/core/state/initial-job-state.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';

const node = { class_type: 'A', inputs: {} };

describe('initialJobState', () => {
  it('knows nothing', () => {
    expect(initialJobState()).toEqual({
      promptId: '',
      phase: 'submitting',
      nodes: {},
      progress: 0,
      outputs: {},
      outputsComplete: false,
      nodeErrors: {},
      warnings: [],
    });
  });

  it('is pending by default where the job has an id', () => {
    expect(initialJobState({ promptId: 'job' }).phase).toBe('pending');
    expect(initialJobState({ promptId: 'job', phase: 'in_progress' }).phase).toBe('in_progress');
    expect(initialJobState({ promptId: 'job', phase: 'completed' }).progress).toBe(1);
  });

  it('counts the nodes of the workflow', () => {
    expect(initialJobState({ workflow: { '1': node, '2': node } }).nodeCount).toBe(2);
    expect('nodeCount' in initialJobState()).toBe(false);
  });

  it('has the problems that were found before the submission, where there was a check', () => {
    const problems = [{ type: 'not_validated', severity: 'warning', message: 'm' }] as const;
    expect(initialJobState({ problems }).problems).toBe(problems);
    expect('problems' in initialJobState()).toBe(false);
  });

  it('has objects without a prototype wherever untrusted ids are keys', () => {
    const { nodes, outputs, nodeErrors } = initialJobState();
    for (const object of [nodes, outputs, nodeErrors]) expect(Object.getPrototypeOf(object)).toBeNull();
  });
});

/** Node id → the nodes that it takes something from; the class of a node is `ClassID` where `classes` has no other. */
const graph = (
  links: Readonly<Record<string, readonly string[]>>,
  classes: Readonly<Record<string, string>> = {},
): Workflow =>
  Object.fromEntries(
    Object.entries(links).map(([id, from]) => [
      id,
      {
        class_type: classes[id] ?? `Class${id}`,
        inputs: { steps: 20, ...Object.fromEntries(from.map((source, at) => [`in${at}`, [source, 0]])) },
      },
    ]),
  );

const entry = (...dependentOutputs: readonly string[]) => ({
  classType: 'Any',
  dependentOutputs,
  errors: [],
});

describe('nodesToRun', () => {
  it('leaves out nodes that nothing is linked with', () => {
    const unused = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`u${at}`, []]));
    expect(nodesToRun(graph({ load: [], save: ['load'], ...unused }))).toHaveLength(2);
  });

  it('counts all nodes where none is linked, as each may be an output by itself', () => {
    expect(nodesToRun(graph({ a: [], b: [] }))).toHaveLength(2);
  });

  it('leaves out what only leads to outputs that the service dropped', () => {
    const workflow = graph({ load: [], blur: ['load'], bad: ['blur'], save: ['load'] });
    expect(nodesToRun(workflow)).toHaveLength(4);
    expect(nodesToRun(workflow, { blur: entry('bad') })).toHaveLength(2);
  });

  const withDeadEnd = { load: [], blur: ['load'], end: ['blur'], save: ['load'] };

  it.each([
    'SaveImage',
    'PreviewImage',
    'MaskPreview+',
    'VHS_VideoCombine',
    'ShowText|pysssss',
    'easy showAnything',
    'Display Any (rgthree)',
    'Image Save',
    'ETN_SendImageWebSocket',
    'UploadToStorage',
  ])('C13: leaves out a chain that leads to no output, where another one ends with %s', (classType) => {
    expect(nodesToRun(graph(withDeadEnd, { save: classType, end: 'ImageInvert' }))).toHaveLength(2);
  });

  it('C13: counts every chain where no class is an output by its name', () => {
    expect(nodesToRun(graph(withDeadEnd, { save: 'CustomSink', end: 'ImageInvert' }))).toHaveLength(4);
    expect(nodesToRun(graph(withDeadEnd, { save: 'Unsaved', end: 'ConditioningCombine' }))).toHaveLength(4);
    expect(nodesToRun({ a: { class_type: 7, inputs: {} }, b: null } as unknown as Workflow)).toHaveLength(2);
    const save = { class_type: ['SaveImage'], inputs: { images: ['load', 0] } };
    expect(nodesToRun({ ...graph(withDeadEnd), save } as unknown as Workflow)).toHaveLength(4);
  });

  it('C13: counts every chain where the service dropped the only output that has the name of one', () => {
    const workflow = graph(withDeadEnd, { save: 'SaveImage' });
    expect(nodesToRun(workflow, { save: entry('save') })).toHaveLength(3);
  });

  it('counts a node once that leads to several outputs, and comes to an end in a circle', () => {
    expect(nodesToRun(graph({ load: [], a: ['load', 'load'], b: ['load'] }))).toHaveLength(3);
    expect(nodesToRun(graph({ a: ['b'], b: ['a'] }))).toHaveLength(2);
  });

  it('takes lists that are literals, and what is no workflow at all, for no links', () => {
    const node = {
      class_type: 'Any',
      inputs: { box: [1, 2], words: ['a'], wrapped: { __value__: ['load', 0] } },
    };
    expect(nodesToRun({ load: node, other: node })).toHaveLength(2);
    expect(nodesToRun({ a: null, b: 7, c: { inputs: 'none' }, d: {} } as unknown as Workflow)).toHaveLength(
      4,
    );
  });

  it('counts no node that a link names and that is not there', () => {
    expect(nodesToRun(graph({ save: ['gone'] }))).toHaveLength(1);
  });
});

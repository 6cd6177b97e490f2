import { expect, it } from 'vitest';
import { ephemeralWorkflow } from '../../../src/workflow.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

const node = (class_type: string, inputs: Record<string, unknown> = {}) => ({ class_type, inputs });
const problemsOf = (workflow: Workflow) =>
  ephemeralWorkflow(workflow).problems.map(({ nodeId, input, type, severity }) => [
    nodeId,
    input,
    type,
    severity,
  ]);

it.each(['SaveImage', 'PreviewImage'])(
  'O8: the pictures of %s go over the socket, and nothing else changes',
  (name) => {
    const given = { ...node(name, { images: ['1', 0], filename_prefix: 'a' }), _meta: { title: 'Keep' } };
    const other = node('EmptyImage', { width: 64 });
    expect(ephemeralWorkflow({ 1: other, 2: given })).toEqual({
      workflow: { 1: other, 2: { ...given, class_type: 'SaveImageWebsocket', inputs: { images: ['1', 0] } } },
      problems: [],
    });
  },
);

it.each(['SaveAudio', 'MyPreview', 'ExportMesh', 'UploadAnywhere', 'VHS_VideoCombine'])(
  'O8: %s writes files that the socket does not carry',
  (name) => {
    expect(problemsOf({ 7: node(name) })).toEqual([['7', undefined, 'ephemeral_output', 'error']]);
    expect(ephemeralWorkflow({ 7: node(name) }).problems[0]?.message).toBe(
      `The node 7 (${name}) writes files that the socket does not carry.`,
    );
  },
);

it.each(['SaveImageWebsocket', 'PreviewAny', 'KSampler'])('O8: %s writes none', (name) => {
  expect(problemsOf({ 7: node(name) })).toEqual([]);
});

it.each(['image', 'mask', 'audio', 'video', 'file'])('O8: a file that was uploaded stays: %s', (input) => {
  expect(problemsOf({ 7: node('LoadAny', { [input]: 'a.png' }) })).toEqual([
    ['7', input, 'ephemeral_input', 'warning'],
  ]);
  expect(ephemeralWorkflow({ 7: node('LoadAny', { [input]: 'a.png' }) }).problems[0]?.message).toBe(
    'The file that the node 7 (LoadAny) reads stays on the server.',
  );
  // A link names no file, and only loaders read one.
  expect(problemsOf({ 7: node('LoadAny', { [input]: ['1', 0] }) })).toEqual([]);
  expect(
    problemsOf({ 7: node('MyLoadImage', { [input]: 'a.png' }), 8: node('LoadModel', { ckpt_name: 'a' }) }),
  ).toEqual([]);
});

it('O8: a node without inputs names no file', () => {
  expect(problemsOf({ 7: { class_type: 'LoadImage', inputs: null as never } })).toEqual([]);
});

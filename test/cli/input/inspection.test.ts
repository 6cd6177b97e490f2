import { describe, expect, it } from 'vitest';
import { inspect, isLink } from '../../../src/cli/input/inspection.js';
import { readGraph } from '../../../src/workflow.js';

/** The inspection of a text, as if a file had it. */
const inspected = (value: unknown, carrier?: object) => {
  const text = JSON.stringify(value);
  const read = readGraph(text);
  if (read._tag === 'Left') throw read.left;
  return inspect({ name: 'a', text, ...(carrier && { carrier: carrier as never }) }, read.right);
};
const node = (inputs: object = {}, title?: string) => ({
  ...{ class_type: 'A', inputs },
  ...(title !== undefined && { _meta: { title } }),
});

describe('inspect', () => {
  it('tells of a graph in API format its nodes as they are', () => {
    expect(inspected({ 1: node({ x: 1 }, 'T'), 2: node({ y: ['1', 0] }) })).toEqual({
      ...{ file: 'a', format: 'json', holds: ['api'], models: [], problems: [] },
      nodes: [
        { nodeId: '1', class: 'A', title: 'T', inputs: { x: 1 } },
        { nodeId: '2', class: 'A', inputs: { y: ['1', 0] } },
      ],
    });
  });

  it('tells the version of the editor’s file', () => {
    const ui = { nodes: [{ id: 1, type: 'A' }], links: [] };
    expect(inspected({ ...ui, version: 0.4 })).toMatchObject({ holds: ['ui'], version: 0.4 });
    expect(inspected({ ...ui, version: 'x' })).not.toHaveProperty('version');
  });

  it('tells of a picture its format, the editor’s file beside the graph, and what could not be read', () => {
    const value = { nodes: [{ id: 7, type: 'Note' }], version: 1 };
    const problem = { reason: 'not-json', message: 'Its workflow is not valid JSON.' };
    expect(
      inspected({ 1: node() }, { _tag: 'Found', format: 'png', workflow: { value }, problem }),
    ).toMatchObject({
      format: 'png',
      holds: ['api', 'ui'],
      version: 1,
      nodes: [{ nodeId: '1' }, { nodeId: '7', class: 'Note' }],
      problems: [{ type: 'not-json', severity: 'warning', message: 'Its workflow is not valid JSON.' }],
    });
    expect(inspected({ 1: node() }, { _tag: 'Found', format: 'png', workflow: { value: {} } })).toMatchObject(
      { holds: ['api'] },
    );
  });

  it('names a node once that runs and is called a note', () => {
    const value = { nodes: [{ id: 1, type: 'Some Note' }] };
    const { nodes } = inspected({ 1: node() }, { format: 'png', workflow: { value } });
    expect(nodes).toEqual([{ nodeId: '1', class: 'A', inputs: {} }]);
  });

  it.each(['a.safetensors', 'b.SFT', 'c.ckpt', 'd.pt', 'e.pth', 'f.bin', 'g.gguf', 'h.onnx'])(
    'takes the text %s for a model',
    (name) => {
      expect(inspected({ 1: node({ x: name, y: 5 }) }).models).toEqual([{ name, nodeId: '1', input: 'x' }]);
    },
  );

  it.each(['a.png', 'safetensors', 'a.ckpt.txt', 'a.pthx'])('takes the text %s for none', (name) => {
    expect(inspected({ 1: node({ x: name }) }).models).toEqual([]);
  });

  it('tells where a model comes from by the name of its file, and lists those that no input names', () => {
    const models = [
      { name: 'a.ckpt', url: 'https://m.example/a', directory: 'checkpoints' },
      { name: 'b.ckpt', url: 'https://m.example/b', directory: 'checkpoints' },
      { name: 'c.ckpt', url: 'https://m.example/c', directory: 'checkpoints' },
    ];
    const value = { nodes: [], models };
    const graph = { 1: node({ x: 'sd/v1/a.ckpt' }), 2: node({ x: 'win\\v1\\b.ckpt' }) };
    expect(inspected(graph, { format: 'png', workflow: { value } }).models).toMatchObject([
      { name: 'sd/v1/a.ckpt', nodeId: '1', input: 'x', url: 'https://m.example/a' },
      { name: 'win\\v1\\b.ckpt', nodeId: '2', input: 'x', url: 'https://m.example/b' },
      { name: 'c.ckpt', url: 'https://m.example/c' },
    ]);
  });

  it('warns of links to nodes that are not there', () => {
    expect(inspected({ 1: node({ x: ['9', 0], y: ['1', 0], z: ['9', 0, 0] }) }).problems).toEqual([
      {
        ...{ nodeId: '1', input: 'x', type: 'missing_node', severity: 'error' },
        message: 'The input x of node 1 is linked to node 9, which is not there.',
      },
    ]);
  });
});

it('a link is an id and a number', () => {
  expect([['1', 0], ['1', 0, 0], ['1'], [1, 0], ['1', '0'], '1', null].map(isLink)).toEqual([
    ...[true, false, false, false, false, false, false],
  ]);
});

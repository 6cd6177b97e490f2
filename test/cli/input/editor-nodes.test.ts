import { describe, expect, it } from 'vitest';
import { editorNodes, restingNodes } from '../../../src/cli/input/editor-nodes.js';

const ui = (nodes: unknown, more: object = {}) => ({ nodes, links: [], ...more }) as never;
const subgraph = (id: string, nodes: unknown, more: object = {}) => ({ id, nodes, ...more });
const idsOf = (nodes: ReturnType<typeof editorNodes>): readonly string[] => nodes.map(({ nodeId }) => nodeId);

describe('editorNodes', () => {
  it('tells of each node what the file has', () => {
    expect(
      editorNodes(
        ui([
          { id: 1, type: 'A', title: 'T', widgets_values: ['v', 7], properties: { cnr_id: 'pack' } },
          { id: 'b', type: 'B', widgets_values: { steps: 3 }, properties: { aux_id: 'me/pack' } },
          { id: 3, type: 'C', title: 5, mode: 2, properties: { cnr_id: '', aux_id: 'other' } },
          { id: 4, type: 'D', mode: 4, properties: { cnr_id: 5 } },
          { id: 5, type: 'E', mode: 0, properties: [] },
        ]),
      ),
    ).toEqual([
      { nodeId: '1', class: 'A', title: 'T', inputs: {}, values: ['v', 7], pack: 'pack' },
      { nodeId: 'b', class: 'B', inputs: { steps: 3 }, pack: 'me/pack' },
      { nodeId: '3', class: 'C', inputs: {}, mode: 'muted', pack: 'other' },
      { nodeId: '4', class: 'D', inputs: {}, mode: 'bypassed' },
      { nodeId: '5', class: 'E', inputs: {} },
    ]);
  });

  it('has those inside subgraphs after the others, by the names of these', () => {
    const subgraphs = [
      subgraph('x', [{ id: 2, type: 'B' }], { name: 'Inner' }),
      subgraph('y', [{ id: 3, type: 'C' }]),
      null,
    ];
    expect(editorNodes(ui([{ id: 1, type: 'A' }], { definitions: { subgraphs } }))).toEqual([
      { nodeId: '1', class: 'A', inputs: {} },
      { nodeId: '2', class: 'B', inputs: {}, inside: 'Inner' },
      { nodeId: '3', class: 'C', inputs: {}, inside: 'y' },
    ]);
  });

  it('leaves out what is no node', () => {
    expect(editorNodes(ui([null, 5, ['x'], { id: 1, type: 'A' }]))).toHaveLength(1);
    expect(editorNodes(ui(7, { definitions: [] }))).toEqual([]);
    expect(editorNodes(ui([], { definitions: { subgraphs: {} } }))).toEqual([]);
  });
});

describe('restingNodes', () => {
  it('has muted and bypassed nodes and notes', () => {
    const nodes = [
      { id: 1, type: 'A' },
      { id: 2, type: 'A', mode: 2 },
      { id: 3, type: 'A', mode: 4 },
      { id: 4, type: 'Note' },
      { id: 5, type: 'MarkdownNote' },
      { id: 6, type: 'NoteToText' },
      { id: 7, type: 'Notebook' },
    ];
    expect(idsOf(restingNodes(ui(nodes)))).toEqual(['2', '3', '4', '5']);
  });

  it('has the nodes of subgraphs that no running node unfolds, at any depth', () => {
    const subgraphs = [
      subgraph('runs', [
        { id: 11, type: 'A' },
        { id: 12, type: 'deep' },
      ]),
      subgraph('deep', [{ id: 21, type: 'A' }]),
      subgraph('muted', [
        { id: 31, type: 'A' },
        { id: 32, type: 'lost' },
      ]),
      subgraph('bypassed', [{ id: 41, type: 'A' }]),
      subgraph('lost', [{ id: 51, type: 'A' }]),
    ];
    const nodes = [
      { id: 1, type: 'runs' },
      { id: 2, type: 'muted', mode: 2 },
      { id: 3, type: 'bypassed', mode: 4 },
    ];
    expect(idsOf(restingNodes(ui(nodes, { definitions: { subgraphs } })))).toEqual([
      ...['2', '3', '31', '32', '41', '51'],
    ]);
  });
});

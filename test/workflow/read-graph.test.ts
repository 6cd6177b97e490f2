import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { readGraph } from '../../src/workflow.js';

const api = { '3': { class_type: 'KSampler', inputs: { seed: 5 } } };
const ui = { nodes: [{ id: 3, type: 'KSampler', widgets_values: [5, 'fixed'] }], links: [], version: 0.4 };
const record = {
  prompt: [1, 'id', api, { extra_pnginfo: { workflow: ui } }, ['3']],
  outputs: {},
  status: {},
};
const read = (source: unknown) => {
  const result = readGraph(source);
  return result._tag === 'Right' ? result.right : result.left;
};

describe('readGraph', () => {
  it('leaves out what a server writes into the nodes of the files that it makes, and nothing else', () => {
    const text =
      '{"1": {"class_type": "A", "inputs": {"is_changed": 1}, "is_changed": [NaN], "more": 2}, "__proto__": {"class_type": "B", "inputs": {}}}';
    const graph = readGraph(text);
    const workflow = graph._tag === 'Right' ? graph.right.workflow : undefined;
    expect(JSON.stringify(workflow)).toBe(
      '{"1":{"class_type":"A","inputs":{"is_changed":1},"more":2},"__proto__":{"class_type":"B","inputs":{}}}',
    );
  });
});

describe('readGraph', () => {
  it.each([
    ['a file in API format', api, { _tag: 'Api', from: 'file', workflow: api }],
    [
      'one whose node is called prompt',
      { prompt: api['3'] },
      { _tag: 'Api', from: 'file', workflow: { prompt: api['3'] } },
    ],
    [
      'one without inputs',
      { '3': { class_type: 'A' } },
      { _tag: 'Api', workflow: { '3': { class_type: 'A', inputs: {} } } },
    ],
    ['version 0.4 of the editor', ui, { _tag: 'Ui', from: 'file', version: 0.4, workflow: ui }],
    ['version 1', { nodes: [], links: [], state: {}, version: 1 }, { _tag: 'Ui', version: 1 }],
    ['a file without version', { nodes: [], last_node_id: 0 }, { _tag: 'Ui', from: 'file' }],
    ['a file of nothing but nodes', { nodes: ui.nodes }, { _tag: 'Ui', from: 'file' }],
    [
      'the body of a submission',
      { prompt: api, client_id: 'x', extra_data: { extra_pnginfo: { workflow: ui } } },
      { _tag: 'Api', from: 'wrapper', workflow: api, ui },
    ],
    ['an export of both', { workflow: ui, output: api }, { _tag: 'Api', from: 'wrapper', workflow: api, ui }],
    [
      'a wrapper of texts',
      { prompt: JSON.stringify(api), workflow: JSON.stringify(ui) },
      { _tag: 'Api', from: 'wrapper', workflow: api, ui },
    ],
    ['a wrapped file of the editor', { workflow: ui }, { _tag: 'Ui', from: 'wrapper', workflow: ui }],
    ['the same as a prompt', { prompt: ui }, { _tag: 'Ui', from: 'wrapper', workflow: ui }],
    ['a wrapped API format', { workflow: api }, { _tag: 'Api', from: 'wrapper', workflow: api }],
    [
      'the details of a job',
      { id: 'x', workflow: { prompt: api, extra_data: { extra_pnginfo: { workflow: ui } } } },
      { _tag: 'Api', from: 'wrapper', workflow: api, ui },
    ],
    ['a record of the history', record, { _tag: 'Api', from: 'history', workflow: api, ui }],
    ['a history of one job', { id: record }, { _tag: 'Api', from: 'history', workflow: api, ui }],
    [
      'P4: the input of a worker',
      { input: { workflow: api } },
      { _tag: 'Api', from: 'wrapper', workflow: api },
    ],
    [
      'P4: that of an editor beside pictures',
      { id: 'x', input: { workflow: ui, images: [{ name: 'a.png', image: 'aGk=' }] } },
      { _tag: 'Ui', from: 'wrapper', workflow: ui },
    ],
    ['P4: a list', [api], { _tag: 'Api', from: 'wrapper', workflow: api }],
    ['P4: three levels', { a: { b: [api] } }, { _tag: 'Api', from: 'wrapper', workflow: api }],
    ['P4: texts in a wrapper', { body: JSON.stringify({ input: { prompt: api } }) }, { workflow: api }],
    [
      'P4: a tuple of the queue',
      [3, 'id', api, record.prompt[3], ['3']],
      { from: 'history', workflow: api, ui },
    ],
    [
      'P4: the answer of the queue',
      { queue_running: [[3, 'id', api, {}, []]], queue_pending: [] },
      { workflow: api },
    ],
    ['P4: a list of records', [record], { from: 'history', workflow: api, ui }],
    [
      'a record of an API client',
      { prompt: [1, 'id', api, {}, []] },
      { _tag: 'Api', from: 'history', workflow: api },
    ],
  ])('knows %s, parsed and as text', (_, value, graph) => {
    expect(read(value)).toMatchObject({ ...graph, problems: [] });
    expect(read(JSON.stringify(value))).toMatchObject({ ...graph, problems: [] });
    expect(read(`\uFEFF ${JSON.stringify(value)}`)).toMatchObject(graph);
  });

  it('P4: says how many workflows there are, and leaves out what is no node', () => {
    expect(read({ a: { x: api, y: api } })).toMatchObject({
      _tag: 'InvalidWorkflow',
      message: 'It holds 2 workflows: pass one of them.',
    });
    expect(read({ a: { b: { c: { d: api } } } })).toMatchObject({ _tag: 'InvalidWorkflow' });
    for (const more of [{ version: 0.4 }, { _comment: 'x' }, { extra_data: {} }, { client_id: null }])
      expect(read({ ...api, ...more })).toMatchObject({
        workflow: api,
        problems: [{ type: 'unknown_member', severity: 'warning' }],
      });
    expect(read({ ...api, '4': { inputs: {} } })).toMatchObject({ _tag: 'InvalidWorkflow' });
  });

  it.each([
    ['', 'unknown'],
    ['not JSON', 'unknown'],
    ['[]', 'unknown'],
    ['7', 'unknown'],
    [null, 'unknown'],
    [[api, api], 'unknown'],
    [{}, 'empty'],
    ['{}', 'empty'],
    [{ prompt: {} }, 'wrapper'],
    [{ prompt: 'text' }, 'wrapper'],
    [{ nodes: [] }, 'unknown'],
    [{ a: record, b: record }, 'unknown'],
    [{ prompt: [1, 'id'] }, 'wrapper'],
    [{ '3': { class_type: 'A', inputs: [] } }, 'unknown'],
  ])('has a typed error for %o', (source, format) => {
    expect(read(source)).toMatchObject({ _tag: 'InvalidWorkflow', format, retry: 'never' });
  });

  it('takes the bare NaN of Python for null', () => {
    expect(read('{"3": {"class_type": "A", "inputs": {"x": NaN}}}')).toMatchObject({
      workflow: { '3': { inputs: { x: null } } },
    });
  });

  it('keeps large integers of a text exact, and warns of rounded ones in parsed values', () => {
    const text = '{"3": {"class_type": "A", "inputs": {"seed": 18446744073709551615, "steps": 20}}}';
    expect(read(text)).toMatchObject({
      workflow: { '3': { inputs: { seed: 18446744073709551615n, steps: 20 } } },
      problems: [],
    });
    expect(read(JSON.parse(text))).toMatchObject({
      problems: [{ nodeId: '3', input: 'seed', type: 'rounded_integer', severity: 'warning' }],
    });
    const file =
      '{"nodes": [{"id": 3, "type": "A", "widgets_values": [18446744073709551615, "fixed"]}, {"id": 4, "type": "A", "widgets_values": {"seed": 9007199254740993}}], "links": [], "definitions": {"subgraphs": [{"nodes": [{"id": 5, "widgets_values": [1e20]}]}]}}';
    expect(read(file)).toMatchObject({
      workflow: { nodes: [{ widgets_values: [18446744073709551615n, 'fixed'] }, {}] },
      problems: [],
    });
    expect(read(JSON.parse(file))).toMatchObject({
      problems: [{ nodeId: '3' }, { nodeId: '4' }, { nodeId: '5' }],
    });
  });

  it('takes any value and any text', () => {
    const names = fc.constantFrom(
      'prompt',
      'workflow',
      'output',
      'nodes',
      'links',
      'class_type',
      'extra_data',
      '__proto__',
      '1',
    );
    const value = fc.letrec((tie) => ({
      it: fc.oneof(
        { maxDepth: 6 },
        fc.jsonValue(),
        fc.constant('{"prompt": "{}"}'),
        fc.array(tie('it')),
        fc.dictionary(names, tie('it')),
      ),
    })).it;
    fc.assert(
      fc.property(value, (one) => {
        expect(['Left', 'Right']).toContain(readGraph(one)._tag);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readGraph(text)._tag).toBe('Left');
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { describeInputs } from '../../../src/workflow/edit/describe-inputs.js';
import { factsOf } from '../../../src/workflow/edit/node-facts.js';
import { findInput } from '../../../src/workflow/edit/find-input.js';
import { findNamedNode, nodesNamed } from '../../../src/workflow/edit/find-node.js';
import { pairScopes, innerIdOf, scopeOf } from '../../../src/workflow/edit/pair-scopes.js';
import { placeFinder } from '../../../src/workflow/edit/find-by-name.js';
import { templateOutputs } from '../../../src/workflow/edit/template-outputs.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

const node = (class_type: string, title?: string, inputs: Record<string, unknown> = {}) => ({
  ...{ class_type, inputs },
  ...(title !== undefined && { _meta: { title } }),
});
const workflow: Workflow = {
  '1': node('Text', 'Positive'),
  '2': node('Text', 'Negative'),
  '3': node('Sampler'),
  '4': node('Save', 'Sampler'),
};
const facts = factsOf(workflow);
const messageOf = (found: ReturnType<typeof findInput>) => (found._tag === 'Left' ? found.left.message : '');

describe('the node that a name means', () => {
  it('is that of its title, else of its class, else of its id', () => {
    expect(nodesNamed(facts, 'Sampler')).toMatchObject({ by: 'title', matching: [{ id: '4' }] });
    expect(nodesNamed(facts, 'Text')).toMatchObject({ by: 'class', matching: [{ id: '1' }, { id: '2' }] });
    expect(nodesNamed(facts, '3')).toMatchObject({ by: 'id', matching: [{ id: '3' }] });
    expect(nodesNamed(facts, '#3')).toMatchObject({ by: 'id', matching: [{ id: '3' }] });
    expect(nodesNamed(facts, '#9').matching).toEqual([]);
    expect([findNamedNode(facts, 'none'), findNamedNode(facts, 'Save')]).toMatchObject([
      undefined,
      { right: '4' },
    ]);
  });

  it('is told by its name where there are several, five of them at most', () => {
    const many = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`${at}`, node('Text', 'Same')]));
    const five = Object.fromEntries(Object.entries(many).slice(0, 5));
    expect(messageOf(findInput(many, 'Same.text'))).toBe(
      'The workflow has 6 nodes of the title "Same": 0, 1, 2, 3, 4, ….',
    );
    expect(messageOf(findInput(five, { class: 'Text', input: 'x' }))).toBe(
      'The workflow has 5 nodes of the class "Text": 0, 1, 2, 3, 4.',
    );
    expect(messageOf(findInput(five, 'Text.text'))).toBe(
      'The workflow has 5 nodes of the class "Text": 0, 1, 2, 3, 4.',
    );
  });

  it('is missing with the names of the first nodes, and what is like it of the same kind', () => {
    const hintOf = (given: Workflow) => {
      const found = findInput(given, 'None.x');
      return found._tag === 'Left' ? found.left.hint : '';
    };
    expect(hintOf(workflow)).toContain(': Positive (1), Negative (2), Sampler (3), Sampler (4).');
    const six = { ...workflow, '5': node('A'), '6': node('B') };
    expect(hintOf(six)).toContain('Sampler (4), A (5), ….');
    const words = (target: Parameters<typeof findInput>[1]) => messageOf(findInput(workflow, target));
    expect(words({ title: 'positive', input: 'x' })).toBe(
      'The workflow has no node of the title "positive"; "Positive" is like it.',
    );
    expect(words({ class: 'Sampl', input: 'x' })).toBe(
      'The workflow has no node of the class "Sampl"; "Sampler" is like it.',
    );
    expect(words({ id: '9', input: 'x' })).toBe('The workflow has no node "9".');
    expect(words({ id: '1', title: 'Negative', input: 'x' })).toBe(
      'The workflow has no node "1"; "1" is like it.',
    );
    expect(findInput(workflow, { class: 'Text', title: 'Negative', input: 'x' })).toMatchObject({
      right: { nodeId: '2' },
    });
  });

  it('is found without words for what is not there', () => {
    const place = placeFinder(workflow);
    expect([place('Positive.text'), place('4.x'), place('#4.x')]).toEqual([
      { nodeId: '1', input: 'text' },
      { nodeId: '4', input: 'x' },
      { nodeId: '4', input: 'x' },
    ]);
    expect([place('Text.text'), place('None.text'), place('Positive')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const dotted = placeFinder({ '1': node('A', 'a.b'), '2': node('B', 'a') });
    expect([dotted('a.b.c'), dotted('a.x.c')]).toEqual([
      { nodeId: '1', input: 'c' },
      { nodeId: '2', input: 'x.c' },
    ]);
  });
});

describe('an input that a class does not have', () => {
  const definitions = {
    Sampler: { input: { required: { seed: ['INT', {}], steps: ['INT', {}] } }, output: [] },
  };
  const refused = (input: string, given: Workflow = workflow) => {
    const found = findInput(given, { id: '3', input }, definitions);
    return found._tag === 'Left' ? found.left : undefined;
  };

  it('is told with those that it has, where none is like it', () => {
    expect(refused('prompt')).toMatchObject({ knownInputs: ['seed', 'steps'], hint: 'It has: seed, steps.' });
    expect(refused('sed')?.hint).not.toBe('It has: seed, steps.');
    expect(refused('sed', { '3': { class_type: 'Sampler', inputs: null as never } })).toMatchObject({
      nearest: ['seed'],
    });
    expect(refused('prompt', { '3': node('Sampler', undefined, { prompt: 1 }) })).toBeUndefined();
  });
});

describe('what a form shows', () => {
  const own = {
    input: {
      required: { size: ['INT', { min: 1 }], way: [['a']], text: ['STRING'], top: ['INT', { max: 9 }] },
    },
    output: [],
  };
  const limitsOf = (more: object, className = 'A') =>
    describeInputs({ '1': { class_type: className, inputs: {} } }, { [className]: { ...own, ...more } }).map(
      ({ input, serverOnly = false }) => [input, serverOnly],
    );

  it('says of lists and bounds that only the server can tell, where the class is of another package', () => {
    const all = ['size', 'way', 'text', 'top'];
    expect(limitsOf({ python_module: 'custom_nodes.a' })).toEqual(all.map((name) => [name, name !== 'text']));
    expect(limitsOf({ python_module: 'nodes' })).toEqual(all.map((name) => [name, false]));
    expect(limitsOf({}, 'CustomCombo')).toEqual(all.map((name) => [name, name !== 'text']));
  });

  it('has the inputs of a class also where the node has none', () => {
    const given = { '1': { class_type: 'A', inputs: null as never } };
    expect(describeInputs(given, { A: own }).map(({ input }) => input)).toEqual([
      'size',
      'way',
      'text',
      'top',
    ]);
    expect(describeInputs(given, {})).toEqual([]);
  });

  it('has no upload buttons', () => {
    const buttons = { a: ['IMAGEUPLOAD'], b: ['AUDIOUPLOAD'], c: ['AUDIO_UI'], d: ['WEBCAM'] };
    const described = describeInputs({ '1': node('A') }, { A: { input: { required: buttons }, output: [] } });
    expect(described.map(({ input }) => input)).toEqual(['d']);
  });
});

it('the outputs of a template are the output nodes, or the nodes that no other takes from', () => {
  const given: Workflow = {
    '1': node('Load'),
    '2': node('Save', 'Cover', { x: ['1', 0] }),
    '3': node('Preview', undefined, { x: ['2', 0] }),
    '4': { class_type: 'Broken', inputs: null as never },
  };
  const names = (definitions?: object) =>
    templateOutputs(given, definitions as never).map(({ name }) => name);
  expect(names()).toEqual(['Preview', 'Broken']);
  const save = { input: {}, output: [], output_node: true };
  expect(names({ Save: save, Preview: { ...save, output_node: false } })).toEqual(['Cover', 'Broken']);
});

it('subgraphs belong together as most of their nodes say', () => {
  expect([scopeOf('8:3:5'), scopeOf('5'), innerIdOf('8:3:5'), innerIdOf('5')]).toEqual(['8:3', '', '5', '5']);
  const pairs = (...ids: readonly (readonly [id: string, former: string])[]) => [...pairScopes(new Map(ids))];
  expect(pairs(['9:1', '8:1'], ['9:2', '8:2'], ['9:3', '7:3'])).toEqual([['8', '9']]);
  // Other ids inside say nothing, nor do nodes outside of subgraphs.
  expect(pairs(['9:1', '8:2'], ['9:1', '1'], ['1', '8:1'])).toEqual([]);
  expect(pairs(['9:1', '8:1'], ['10:1', '8:1'], ['10:2', '8:2'], ['10:3', '7:3'])).toEqual([['8', '10']]);
  expect(pairs(['9:1', '8:1'], ['10:1', '7:1'])).toEqual([
    ['8', '9'],
    ['7', '10'],
  ]);
});

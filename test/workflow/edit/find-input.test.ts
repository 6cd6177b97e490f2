import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { definitions } from '../validate/definitions.js';
import { findInput } from '../../../src/workflow/edit/find-input.js';
import { namePart } from '../../../src/workflow/edit/name.js';
import { nodesOf } from '../../../src/workflow/edit/nodes-of.js';
import { setKnownInput } from '../../../src/workflow/edit/set-known-input.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

const node = (class_type: string, title?: string, inputs = {}) => ({
  class_type,
  inputs,
  ...(title !== undefined && { _meta: { title } }),
});

const workflow: Workflow = {
  '1': node('Loader'),
  '2': node('Text', 'Positive', { text: 'a cat', clip: ['1', 1] }),
  '3': node('Sampler', 'Main sampler'),
  '4': node('Text', 'Negative'),
  '5': node('Save', 'Sampler'),
  '8:5': node('Preview', 'v1.5'),
  'a.b': node('Invert', '7'),
  '7': node('Dynamic', 'Positive.mode'),
};

const placeOf = (name: string) => {
  const found = findInput(workflow, name);
  return found._tag === 'Right' ? [found.right.nodeId, found.right.input] : found.left._tag;
};

describe('findInput by a name', () => {
  it.each([
    ['Positive.text', '2', 'text'],
    ['Loader.ckpt_name', '1', 'ckpt_name'],
    ['3.seed', '3', 'seed'],
    ['8:5.images', '8:5', 'images'],
  ])('finds %s: a title, a class or an id', (name, ...place) => {
    expect(placeOf(name)).toEqual(place);
  });

  it.each([
    ['a title over a class', 'Sampler.prefix', '5', 'prefix'],
    ['a title over an id', '7.image', 'a.b', 'image'],
    ['an id with a number sign', '#7.mode', '7', 'mode'],
  ])('takes %s', (_, name, ...place) => {
    expect(placeOf(name)).toEqual(place);
  });

  it.each([
    ['the last point after a node', 'v1.5.images', '8:5', 'images'],
    ['an earlier one where no node stands before the last', 'Main sampler.a.b', '3', 'a.b'],
    ['the last one of two', 'Positive.mode.size', '7', 'size'],
    ['one without a backslash', 'Positive.mode\\.size', '2', 'mode.size'],
    ['points of an id', 'a.b.image', 'a.b', 'image'],
  ])('splits at %s', (_, name, ...place) => {
    expect(placeOf(name)).toEqual(place);
  });

  it('keeps a backslash before another character', () => {
    const paths: Workflow = { '1': node('Save', 'C:\\out') };
    expect(findInput(paths, 'C:\\out.prefix')).toEqual({
      _tag: 'Right',
      right: { nodeId: '1', input: 'prefix' },
    });
  });

  it.each(['Text.text', 'Nothing.text', 'Positive', '.text', 'Positive.', '', '__proto__.text'])(
    'finds nothing for %j',
    (name) => {
      expect(placeOf(name)).toBe(name === 'Text.text' ? 'AmbiguousNode' : 'UnknownNode');
    },
  );

  it('names what is like it, of titles, classes and ids', () => {
    expect(findInput(workflow, 'positive.text')).toMatchObject({
      left: {
        nearest: ['Positive', 'Positive.mode'],
        message: 'The workflow has no node "positive"; "Positive", "Positive.mode" are like it.',
      },
    });
  });
});

describe('findInput with definitions', () => {
  it.each([
    [{ title: 'Positive', input: 'txt' }, ['text'], 'Node 2 (Text) has no input "txt"; "text" is like it.'],
    [
      { class: 'Sampler', input: 'steps ' },
      ['steps'],
      'Node 3 (Sampler) has no input "steps "; "steps" is like it.',
    ],
    [{ id: '5', input: 'prompt' }, [], 'Node 5 (Save) has no input "prompt".'],
  ])('refuses %j, which the class does not have', (target, nearest, message) => {
    expect(findInput(workflow, target, definitions)).toMatchObject({
      left: { _tag: 'UnknownInput', nearest, message },
    });
    expect(findInput(workflow, target)).toMatchObject({ _tag: 'Right' });
  });

  it('takes any input of a class that they lack', () => {
    expect(findInput({ '1': node('Gone') }, '1.any', definitions)).toMatchObject({ _tag: 'Right' });
  });

  it('refuses of a class of another package only what is like a declared input, as it may take others', () => {
    const foreign = {
      Sampler: { ...(definitions['Sampler'] as object), python_module: 'custom_nodes.a-pack' },
    };
    expect(findInput(workflow, '3.lora_1', foreign)).toMatchObject({ _tag: 'Right' });
    expect(findInput(workflow, '3.step', foreign)).toMatchObject({ left: { nearest: ['steps'] } });
    const free = { CustomCombo: { ...(definitions['Sampler'] as object) } };
    expect(findInput({ '1': node('CustomCombo') }, '1.step', free)).toMatchObject({ _tag: 'Right' });
  });

  it('sets only inputs that the class has', () => {
    expect(setKnownInput(workflow, '2', 'txt', 'x', definitions)).toMatchObject({
      left: { _tag: 'UnknownInput' },
    });
    expect(setKnownInput(workflow, { title: 'Positive', input: 'text' }, 'a dog', definitions)).toMatchObject(
      {
        right: { '2': { inputs: { text: 'a dog' } } },
      },
    );
    expect(setKnownInput(workflow, '2', 'txt', 'x')).toMatchObject({
      right: { '2': { inputs: { txt: 'x' } } },
    });
  });
});

describe('nodesOf', () => {
  it('lists names, values and links', () => {
    expect(nodesOf(workflow).find(({ id }) => id === '2')).toEqual({
      id: '2',
      class: 'Text',
      title: 'Positive',
      name: 'Positive',
      values: { text: 'a cat' },
      links: { clip: { nodeId: '1', slot: 1 } },
    });
    expect(Object.fromEntries(nodesOf(workflow).map(({ id, name }) => [id, name]))).toEqual({
      '1': 'Loader',
      '2': 'Positive',
      '3': 'Main sampler',
      '4': 'Negative',
      '5': 'Sampler',
      '7': 'Positive\\.mode',
      '8:5': 'v1\\.5',
      'a.b': '7',
    });
  });

  const names = fc.constantFrom(
    'A',
    'B',
    'a.b',
    'x=y',
    'back\\slash',
    '3',
    '10',
    '',
    '__proto__',
    'KSampler',
  );
  const graphs = fc
    .uniqueArray(fc.tuple(names, names, fc.option(names, { nil: undefined })), { selector: ([id]) => id })
    .map((nodes): Workflow => Object.fromEntries(nodes.map(([id, type, title]) => [id, node(type, title)])));

  it('gives each node a name by which findInput finds it', () => {
    fc.assert(
      fc.property(graphs, names, (graph, input) => {
        for (const { id, name } of nodesOf(graph)) {
          if (input === '') continue;
          expect(findInput(graph, `${name}.${namePart(input)}`)).toEqual({
            _tag: 'Right',
            right: { nodeId: id, input },
          });
        }
      }),
    );
  });

  it.each([null, 1, [], {}, { '1': null }, { '1': { class_type: 5, inputs: 7, _meta: 3 } }])(
    'takes %j',
    (value) => {
      expect(() => nodesOf(value as unknown as Workflow)).not.toThrow();
    },
  );
});

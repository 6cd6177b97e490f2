import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { setInput } from '../../../src/workflow/edit/set-input.js';
import { findInput } from '../../../src/workflow/edit/find-input.js';
import { setKnownInput } from '../../../src/workflow/edit/set-known-input.js';
import { setInput as setInputIn } from '../../../src/client/fp/set-input.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

const workflow: Workflow = {
  '3': { class_type: 'KSampler', inputs: { seed: 1, model: ['4', 0] }, _meta: { title: 'Sampler' } },
  '4': { class_type: 'Loader', inputs: {} },
};

const inputsOf = (result: E.Either<unknown, Workflow>, nodeId: string) =>
  E.isRight(result) ? result.right[nodeId]?.inputs : undefined;

describe('setInput', () => {
  it('sets one input in a copy and leaves all else', () => {
    const before = structuredClone(workflow);
    const result = setInput(workflow, '3', 'seed', 2);
    expect(result).toEqual(
      E.right({ ...before, '3': { ...before['3'], inputs: { seed: 2, model: ['4', 0] } } }),
    );
    expect(workflow).toEqual(before);
    expect(E.isRight(result) && result.right['4']).toBe(workflow['4']);
  });

  it.each(['Sampler.seed', 'KSampler.seed', '3.seed', '#3.seed'])(
    'R4: takes the name %s, as findInput, template and --set do',
    (name) => {
      expect(setInput(workflow, name, 2)).toEqual(setInput(workflow, '3', 'seed', 2));
      expect(setKnownInput(workflow, name, 2)).toEqual(setInput(workflow, '3', 'seed', 2));
      expect(setInputIn(name, 2)(workflow)).toEqual(setInput(workflow, '3', 'seed', 2));
    },
  );

  it('P3: works out anew where the choice of a Custom Combo stands', () => {
    const options = { option1: 'tall', option2: 'wide', option3: 'square' };
    const combo = (inputs: object): Workflow => ({
      ...workflow,
      7: { class_type: 'CustomCombo', inputs: { choice: 'tall', index: 0, ...options, ...inputs } },
    });
    const after = (given: Workflow, input: string, value: unknown) =>
      inputsOf(setInput(given, '7', input, value), '7')?.['index'];
    expect(after(combo({}), 'choice', 'square')).toBe(2);
    expect(after(combo({}), 'choice', 'none')).toBe(-1);
    expect(after(combo({ choice: 'wide', index: 1 }), 'option1', 'wide')).toBe(0);
    // Another node makes the choice, and what is set as the index stays.
    expect(after(combo({}), 'choice', ['4', 0])).toBe(0);
    expect(after(combo({}), 'index', 7)).toBe(7);
    // No other class has such an index, and one without it gets none.
    expect(inputsOf(setInput(workflow, '3', 'choice', 'x'), '3')).not.toHaveProperty('index');
    const early: Workflow = { 7: { class_type: 'CustomCombo', inputs: { choice: 'tall', ...options } } };
    expect(inputsOf(setInput(early, '7', 'choice', 'wide'), '7')).not.toHaveProperty('index');
  });

  it.each([2, 'two', ['4', 0], { deep: 1 }])('R4: takes a name and %j with definitions too', (value) => {
    const definitions = { KSampler: { input: { required: { seed: ['INT', {}] } } } };
    const set = setInput(workflow, '3', 'seed', value);
    expect(setKnownInput(workflow, 'Sampler.seed', value, definitions)).toEqual(set);
    expect(setKnownInput(workflow, 'Sampler.seed', value, undefined)).toEqual(set);
    expect(setKnownInput(workflow, '3', 'seed', value, definitions)).toEqual(set);
    expect(setKnownInput(workflow, '3', 'seed', value)).toEqual(set);
    expect(setKnownInput(workflow, 'Sampler.sed', value, definitions)).toMatchObject(
      E.left({ _tag: 'UnknownInput', nearest: ['seed'] }),
    );
    // A node of that id counts before a name.
    const odd: Workflow = { ...workflow, 'Sampler.seed': { class_type: 'Odd', inputs: {} } };
    expect(inputsOf(setKnownInput(odd, 'Sampler.seed', 'x', definitions), 'Sampler.seed')).toEqual({
      x: definitions,
    });
  });

  it('R4: refuses a name as findInput does', () => {
    expect(setInput(workflow, 'Samplr.seed', 2)).toEqual(findInput(workflow, 'Samplr.seed'));
  });

  it('adds an input that the node lacks', () => {
    expect(inputsOf(setInput(workflow, '4', 'name', 'x'), '4')).toEqual({ name: 'x' });
  });

  it.each([[null], [false], ['text'], [{ a: 1 }], [{ __value__: [1] }], [['4', 0]], [['3', 2]]])(
    'takes %j as it is',
    (value) => {
      expect(inputsOf(setInput(workflow, '3', 'x', value), '3')?.['x']).toBe(value);
    },
  );

  it.each([
    [[]],
    [[1, 2]],
    [['4']],
    [['nobody', 0]],
    [['4', 0, 1]],
    [['4', '0']],
    [['4', -1]],
    [['4', 0.5]],
    [[4, 0]],
    [['toString', 0]],
  ])('wraps %j, which is no link', (value) => {
    expect(inputsOf(setInput(workflow, '3', 'x', value), '3')?.['x']).toEqual({ __value__: value });
  });

  it.each(['5', '', 'toString', '__proto__'])('knows no node %j, and says which there are', (nodeId) => {
    expect(setInput(workflow, nodeId, 'x', 1)).toMatchObject({
      left: {
        _tag: 'UnknownNode',
        nodeId,
        knownNodes: ['3', '4'],
        message: `The workflow has no node "${nodeId}".`,
      },
    });
  });

  it.each([
    [{ title: 'Sampler', input: 'seed' }],
    [{ class: 'KSampler', input: 'seed' }],
    [{ id: '3', input: 'seed' }],
    [{ title: 'Sampler', class: 'KSampler', id: '3', input: 'seed' }],
  ])('finds the node by %j', (target) => {
    expect(inputsOf(setInput(workflow, target, 2), '3')?.['seed']).toBe(2);
  });

  it.each([
    [{ title: 'Samplr', input: 'seed' }, ['Sampler'], 'of the title "Samplr"; "Sampler" is like it.'],
    [{ class: 'ksampler', input: 'seed' }, ['KSampler'], 'of the class "ksampler"; "KSampler" is like it.'],
    [{ title: 'Sampler', class: 'Loader', input: 'seed' }, ['Sampler'], 'of the title "Sampler"'],
    [{ title: '', input: 'seed' }, [], 'of the title "".'],
  ])('knows no node %j, and says which names are like it', (target, nearest, message) => {
    expect(setInput(workflow, target, 2)).toMatchObject({
      left: {
        _tag: 'UnknownNode',
        nearest,
        knownNodes: ['3', '4'],
        message: expect.stringContaining(message) as string,
      },
    });
  });

  it('refuses a title or a class of several nodes, and names them', () => {
    const node = { class_type: 'Text', inputs: {}, _meta: { title: 'Prompt' } };
    const twins = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`n${at}`, node]));
    for (const target of [
      { title: 'Prompt', input: 'x' },
      { class: 'Text', input: 'x' },
    ])
      expect(setInput(twins, target, 1)).toMatchObject({
        left: {
          _tag: 'AmbiguousNode',
          name: target.title ?? target.class,
          nodeIds: Object.keys(twins),
          message: expect.stringMatching(
            /has 7 nodes of the (?:title|class) ".*": n0, n1, n2, n3, n4, …\.$/u,
          ) as string,
        },
      });
  });

  it('sets inputs of any name on nodes of any id', () => {
    const odd = JSON.parse('{"__proto__":{"class_type":"A","inputs":{}}}') as Workflow;
    const result = setInput(odd, '__proto__', '__proto__', 1);
    expect(E.isRight(result) && JSON.stringify(result.right)).toBe(
      '{"__proto__":{"class_type":"A","inputs":{"__proto__":1}}}',
    );
  });

  it('puts in what refers to an uploaded file', () => {
    const named = { name: 'cat.png', subfolder: '', type: 'input' };
    const valueOf = (value: unknown) => inputsOf(setInput(workflow, '4', 'image', value), '4')?.['image'];
    expect(valueOf(named)).toBe('cat.png');
    expect(
      valueOf({ ...named, subfolder: 'in', asset: { id: 'a1', hash: 'blake3:0', url: 'https://x' } }),
    ).toEqual({
      __type: 'core/ASSET',
      info: { id: 'a1', hash: 'blake3:0', file_path: 'in/cat.png' },
    });
  });

  it.each([
    [{ name: 'cat.png', subfolder: '', type: 'checkpoint' }],
    [{ name: 'cat.png', subfolder: '', type: 'input', strength: 1 }],
    [{ name: 'cat.png', type: 'input' }],
    [{ name: 'cat.png', subfolder: '', type: 'input', asset: 'a1' }],
  ])('takes %j as it is, which no upload answers', (value) => {
    expect(inputsOf(setInput(workflow, '3', 'x', value), '3')?.['x']).toBe(value);
  });
});

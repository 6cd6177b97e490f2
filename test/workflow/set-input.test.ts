import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { setInput } from '../../src/workflow/set-input.js';
import type { Workflow } from '../../src/protocol/workflow.js';

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

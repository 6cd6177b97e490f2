import { describe, expect, it } from 'vitest';
import { fillWorkflow, typesOfInputs } from '../../../src/server/gateway/calls/fill-workflow.js';

const node = (title?: string) => ({
  class_type: 'X',
  inputs: { text: 'a', count: 1 },
  ...(title !== undefined && { _meta: { title } }),
});

describe('the types of inputs by their names', () => {
  it.each([
    ['Cover.text', 'string'],
    ['Cover.count', 'number'],
    ['Cover.other', 'undefined'],
    ['1.text', 'string'],
    ['#2.count', 'number'],
    ['Twice.text', 'undefined'],
    ['X.text', 'undefined'],
    ['nothing.text', 'undefined'],
    ['text', 'undefined'],
  ])('of %s is %s', (name, type) => {
    const typeOf = typesOfInputs({ 1: node('Cover'), 2: node('Twice'), 3: node('Twice') });
    expect(typeOf(name)).toBe(type);
  });
});

describe('a workflow with values for its inputs', () => {
  const workflow = { 1: node('Cover'), 2: node('Twice'), 3: node('Twice') };

  it('has them in the places that the names lead to, and else what it had', () => {
    const filled = fillWorkflow(workflow, { 'Cover.text': 'b', '#2.count': 2, '3.text': ['x', 'y'] });
    expect(filled).toEqual({
      _tag: 'Right',
      right: {
        1: { ...node('Cover'), inputs: { text: 'b', count: 1 } },
        2: { ...node('Twice'), inputs: { text: 'a', count: 2 } },
        // A list that is no link to a node is a literal.
        3: { ...node('Twice'), inputs: { text: { __value__: ['x', 'y'] }, count: 1 } },
      },
    });
    expect(fillWorkflow(workflow, {})).toMatchObject({ right: workflow });
    expect(workflow[1].inputs.text).toBe('a');
  });

  it('is refused where a name leads to no place, or to several', () => {
    for (const name of ['Cove.text', 'Twice.text']) {
      const refused = fillWorkflow(workflow, { 'Cover.text': 'b', [name]: 'c' });
      const message = expect.any(String) as string;
      expect(refused).toMatchObject({
        left: {
          ...{ status: 422, code: 'invalid_inputs', message },
          details: { problems: [{ name, type: 'unknown_input', message }] },
        },
      });
    }
  });
});

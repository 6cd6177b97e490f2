import { describe, expect, it } from 'vitest';
import { typesOfInputs } from '../../../src/server/gateway/calls/fill-workflow.js';

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

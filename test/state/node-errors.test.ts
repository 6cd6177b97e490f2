import { describe, expect, it } from 'vitest';
import { readNodeErrors } from '../../src/core/state/node-errors.js';

describe('readNodeErrors', () => {
  it('reads what validation found, by node', () => {
    const errors = readNodeErrors({
      '3': {
        class_type: 'KSampler',
        dependent_outputs: ['9', 10],
        errors: [
          {
            type: 'value_bigger_than_max',
            message: 'Value too big',
            details: 'steps',
            extra_info: { input_name: 'steps' },
          },
          { type: 'required_input_missing' },
          'no object',
        ],
      },
    });
    expect(errors).toEqual({
      '3': {
        classType: 'KSampler',
        dependentOutputs: ['9', '10'],
        errors: [
          {
            type: 'value_bigger_than_max',
            message: 'Value too big',
            details: 'steps',
            extraInfo: { input_name: 'steps' },
          },
          { type: 'required_input_missing', message: '', details: '', extraInfo: {} },
        ],
      },
    });
  });

  it('takes members of another kind as absent', () => {
    expect(readNodeErrors({ '3': { class_type: null, dependent_outputs: 'all', errors: {} } })).toEqual({
      '3': { classType: '', dependentOutputs: [], errors: [] },
    });
  });

  it.each([undefined, null, {}, [], 'text', { '3': null, '4': [] }])('finds none in %j', (value) => {
    expect(Object.keys(readNodeErrors(value))).toEqual([]);
  });

  it('takes any node id', () => {
    const errors = readNodeErrors(JSON.parse('{"__proto__": {"class_type": "A"}}'));
    expect(Object.getPrototypeOf(errors)).toBeNull();
    expect(errors['__proto__']?.classType).toBe('A');
  });
});

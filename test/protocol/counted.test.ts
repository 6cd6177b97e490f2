import { expect, it } from 'vitest';
import { counted } from '../../src/core/protocol/counted.js';

it('R3: counts one value, and two values', () => {
  expect([0, 1, 2].map((many) => counted(many, 'value'))).toEqual(['0 values', '1 value', '2 values']);
});

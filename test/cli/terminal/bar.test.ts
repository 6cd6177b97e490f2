import { describe, expect, it } from 'vitest';
import { bar } from '../../../src/cli/terminal/bar.js';

describe('bar', () => {
  it.each([
    [0, '░░░░'],
    [0.5, '██░░'],
    [0.53, '██▏░'],
    [0.99, '████'],
    [1, '████'],
    [7, '████'],
    [-1, '░░░░'],
    [NaN, '░░░░'],
  ])('of %d in 4 columns is %s', (fraction, drawn) => {
    expect(bar(fraction, 4)).toBe(drawn);
  });
});

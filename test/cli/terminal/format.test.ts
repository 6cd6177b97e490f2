import { bar, duration, fileSize } from '../../../src/cli/terminal/format.js';
import { describe, expect, it } from 'vitest';

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

describe('duration', () => {
  it.each([
    [-5, '0.0 s'],
    [0, '0.0 s'],
    [420, '0.4 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [59_499, '59 s'],
    [59_500, '1:00'],
    [187_000, '3:07'],
    [3_729_000, '1:02:09'],
  ])('of %i ms is %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});

describe('fileSize', () => {
  it.each([
    [0, '0 B'],
    [412, '412 B'],
    [3_400, '3.4 kB'],
    [12_300_000, '12 MB'],
    [2e15, '2000 TB'],
  ])('of %i bytes is %s', (bytes, text) => {
    expect(fileSize(bytes)).toBe(text);
  });
});

import { describe, expect, it } from 'vitest';
import { readRange } from '../../../src/emulator/http/request.js';

describe('readRange', () => {
  it.each([
    [undefined, 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['bytes=2-3', { start: 2, end: 3 }],
    ['bytes=7-', { start: 7, end: 9 }],
    ['bytes=7-99', { start: 7, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=5-4', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
  ])('reads %s of ten bytes', (header, range) => {
    expect(readRange(header, 10)).toEqual(range);
  });
});

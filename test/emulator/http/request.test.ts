import { describe, expect, it } from 'vitest';
import { readRange } from '../../../src/emulator/http/request.js';
import { redactUnknownKeys } from '../../../src/emulator/server/recorder.js';

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

const isKnown = (key: string): boolean => key === 'known';

describe('withoutUnknownKeys', () => {
  it('L5: keeps a request with a key that is known as it was sent', () => {
    const request = { method: 'GET', url: '/ws?token=known', headers: { 'x-api-key': 'known', a: 'b' } };
    const { clean, ...kept } = redactUnknownKeys(request, isKnown);
    expect(kept).toEqual(request);
    expect(clean('known')).toBe('known');
  });

  it.each([
    ['the header', { headers: { 'x-api-key': 'real&key' } }],
    ['a repeated header', { headers: { 'x-api-key': ['known', 'real&key'] as unknown as string } }],
    ['another header', { headers: { authorization: 'Bearer real&key' } }],
    ['the query', { headers: {}, url: '/ws?clientId=a&token=real%26key' }],
  ])('L5: keeps no other key, wherever it stands: in %s', (_, request) => {
    const { clean, ...kept } = redactUnknownKeys({ method: 'GET', url: '/', ...request }, isKnown);
    const text = JSON.stringify(kept) + clean('{"extra_data":{"api_key":"real&key"}} real%26key');
    expect(text).not.toMatch(/real(?:&|%26)key/u);
    expect(text).toContain('unknown-key');
  });
});

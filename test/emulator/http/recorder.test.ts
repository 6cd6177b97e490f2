import { describe, expect, it } from 'vitest';
import { redactUnknownKeys } from '../../../src/emulator/http/recorder.js';

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

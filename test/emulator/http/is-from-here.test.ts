import { describe, expect, it } from 'vitest';
import { isFromHere } from '../../../src/emulator/http/is-from-here.js';

describe('isFromHere', () => {
  it.each([
    [{ host: '127.0.0.1:8188' }],
    [{ host: 'localhost' }],
    [{ host: 'LOCALHOST:1' }],
    [{ host: 'engine.localhost:1' }],
    [{ host: '[::1]:1' }],
    [{ host: '127.0.0.1:1', origin: 'http://localhost:5173' }],
    [{}],
  ])('L1: takes %j', (headers) => {
    expect(isFromHere({ headers })).toBe(true);
  });

  it.each([
    [{ host: 'evil.example' }],
    [{ host: 'localhost.evil.example:80' }],
    [{ host: '127.0.0.1.evil.example' }],
    [{ host: '192.168.0.1' }],
    [{ host: '0.0.0.0' }],
    [{ host: '' }],
    [{ host: 'a b' }],
    [{ host: '127.0.0.1:1', origin: 'https://evil.example' }],
    [{ host: '127.0.0.1:1', origin: 'null' }],
    [{ host: '127.0.0.1:1', origin: '' }],
  ])('L1: turns %j away', (headers) => {
    expect(isFromHere({ headers })).toBe(false);
  });
});

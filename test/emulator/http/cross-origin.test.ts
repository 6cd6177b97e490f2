import { describe, expect, it } from 'vitest';
import {
  isAllowedOrigin,
  isLoopbackRequest,
  isAllowedRequest,
} from '../../../src/emulator/http/cross-origin.js';
import { open } from '../support.js';

const page = 'http://app.example';

describe('the origins that an emulator answers', () => {
  it.each([
    [undefined, undefined, true],
    [undefined, 'http://localhost:5173', true],
    [undefined, page, false],
    [page, page, true],
    [page, 'http://other.example', false],
    ['*', 'http://other.example', true],
  ])('with allowOrigin %s: %s', (allowOrigin, origin, welcome) => {
    expect(isAllowedRequest({ headers: { host: '127.0.0.1:8188', origin } }, allowOrigin)).toBe(welcome);
  });

  it('never include a host that only leads here, nor no origin at all as an allowed one', () => {
    expect(isAllowedRequest({ headers: { host: 'made.example', origin: page } }, '*')).toBe(false);
    expect(isAllowedOrigin(undefined, page)).toBe(false);
  });
});

describe('allowOrigin', () => {
  const ask = async (dialect: 'cloud' | 'local', allowOrigin: string | undefined, method: string) => {
    const emulator = await open({ dialect, ...(allowOrigin === undefined ? {} : { allowOrigin }) });
    return fetch(`${emulator.baseUrl}/api/object_info`, {
      method,
      headers: { origin: page, 'x-api-key': emulator.apiKey },
    });
  };

  it.each(['cloud', 'local'] as const)('lets pages of that origin read the %s dialect', async (dialect) => {
    const answer = await ask(dialect, page, 'GET');
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, page]);
    const preflight = await ask(dialect, page, 'OPTIONS');
    expect([preflight.status, await preflight.text()]).toEqual([dialect === 'local' ? 200 : 204, '']);
    expect(preflight.headers.get('access-control-allow-headers')?.includes('X-API-Key')).toBe(
      dialect === 'cloud',
    );
  });

  it.each(['cloud', 'local'] as const)('allows no origin without the option: %s', async (dialect) => {
    const answer = await ask(dialect, undefined, 'GET');
    expect([answer.status, answer.headers.has('access-control-allow-origin')]).toEqual([403, false]);
  });

  it('covers scripted answers and the storage', async () => {
    const emulator = await open({ allowOrigin: '*' });
    emulator.answerOnce('GET', '/api/user', { status: 503 });
    const scripted = await fetch(`${emulator.baseUrl}/api/user`, { headers: { origin: page } });
    expect([scripted.status, scripted.headers.get('access-control-allow-origin')]).toEqual([503, '*']);
    const stored = await fetch(`${emulator.storageUrl}/signed/none`, { headers: { origin: page } });
    expect(stored.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('takes an origin, not an address', async () => {
    await expect(open({ allowOrigin: 'http://app.example/page' })).rejects.toThrow('allowOrigin');
  });
});

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
    expect(isLoopbackRequest({ headers })).toBe(true);
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
    expect(isLoopbackRequest({ headers })).toBe(false);
  });
});

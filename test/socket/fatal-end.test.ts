import { describe, expect, it } from 'vitest';
import { fatalEnd, isRefusedEnd } from '../../src/core/socket/fatal-end.js';
import type { SocketEnd } from '../../src/core/platform/platform.js';
import { serviceError } from '../../src/core/errors/service-error.js';

const ended = (end: Partial<SocketEnd>): SocketEnd => ({ code: 1006, reason: '', ...end });

describe('fatalEnd', () => {
  it.each([
    [401, 'auth', 'Unauthorized'],
    [403, 'auth', 'Forbidden'],
    [402, 'billing', 'InsufficientCredits'],
    [429, 'billing', 'SubscriptionInactive'],
    [300, 'config', 'ProtocolChanged'],
    [399, 'config', 'ProtocolChanged'],
  ])('A2: believes %i at once', (status, cause, _tag) => {
    const found = fatalEnd(ended({ status }), 0, false);
    expect(found?.cause).toBe(cause);
    expect(found?.error).toMatchObject({ _tag, status, endpoint: 'GET /ws' });
  });

  it('N3 speaks of no account where the server has none', () => {
    expect(fatalEnd(ended({ status: 402 }), 0, false, false)).toMatchObject({
      cause: 'auth',
      error: { _tag: 'Forbidden', status: 402 },
    });
    expect([isRefusedEnd(ended({ status: 402 }), false), isRefusedEnd(ended({ status: 402 }))]).toEqual([
      true,
      false,
    ]);
  });

  it.each([200, 404, 426])(
    'A7: believes %i the second time, and says where the socket should be',
    (status) => {
      expect(fatalEnd(ended({ status }), 0, false)).toBeUndefined();
      expect(fatalEnd(ended({ status }), 1, false)?.error).toMatchObject({
        _tag: 'ProtocolChanged',
        message: `The socket's address answered ${status} instead of opening a WebSocket.`,
        hint: 'Check baseUrl and wsUrl: the socket is expected at /ws below wsUrl.',
      });
    },
  );

  it('N3 says where a handshake was redirected to, and nothing that may be secret', () => {
    const location = 'https://user:secret@login.example/sign-in?token=secret#secret';
    expect(fatalEnd(ended({ status: 302, location }), 0, false)?.error.message).toBe(
      "The socket's address redirects to https://login.example/sign-in, with 302 instead of opening a WebSocket.",
    );
  });

  it.each([401, 402, 403, 429])('N3 says of %i that the handshake was refused, and no more', (status) => {
    expect(fatalEnd(ended({ status }), 0, false)?.error.message).toBe(
      `The socket's handshake was refused (${status}).`,
    );
  });

  it.each([undefined, 299, 400, 408, 500, 503])('A5: goes on after %s, however often', (status) => {
    expect(fatalEnd(ended(status === undefined ? {} : { status }), 9, false)).toBeUndefined();
  });

  it('A5: believes the platform where no socket was open before', () => {
    const final = serviceError('Network', { code: 'CERT', sent: false, retry: 'never' });
    expect(fatalEnd(ended({ final }), 0, false)).toEqual({ cause: 'config', error: final });
    expect(fatalEnd(ended({ final }), 0, true)).toBeUndefined();
  });
});

describe('isRefusedEnd', () => {
  it.each([
    [{ status: 401 }, true],
    [{ status: 403 }, true],
    [{ status: 429 }, true],
    [{ status: 402 }, false],
    [{ code: 1008 }, true],
    [{ code: 4401 }, true],
    [{ code: 4403 }, true],
    [{ code: 1006 }, false],
    [{ status: 500, code: 1008 }, false],
    [{}, false],
  ])('A14: of %j is %s', (end, expected) => {
    expect(isRefusedEnd(ended(end))).toBe(expected);
  });
});

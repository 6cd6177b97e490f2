import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';
import { ownHeaders } from '../../src/core/http/own-headers.js';
import { serviceError } from '../../src/core/errors/service-error.js';

const read = (headers: unknown, secrets: string[] = []) =>
  ownHeaders(headers, ['x-api-key'], (all) => void secrets.push(...all));

const invalid = (message: RegExp) =>
  expect.objectContaining({
    _tag: 'InvalidConfig',
    option: 'headers',
    message: expect.stringMatching(message) as string,
  }) as Error;

describe('headers of the user', () => {
  it.each([
    ['an object', { Authorization: ' Bearer abc ', 'x-empty': '' }],
    [
      'pairs',
      [
        ['Authorization', 'Bearer abc'],
        ['x-empty', ''],
      ],
    ],
    ['a Map', new Map(Object.entries({ Authorization: 'Bearer abc', 'X-Empty': '' }))],
    ['a Headers', new Headers({ Authorization: 'Bearer abc', 'x-empty': '' })],
  ])('are taken as %s, names in lower case and values trimmed', (_, headers) => {
    expect(read(headers)()).toEqual(E.right({ authorization: 'Bearer abc', 'x-empty': '' }));
    expect(read(() => headers)()).toEqual(E.right({ authorization: 'Bearer abc', 'x-empty': '' }));
  });

  it.each([
    ['no object', 5, /texts without line breaks/u],
    ['null', null, /texts without line breaks/u],
    ['a text', 'authorization: secret', /texts without line breaks/u],
    ['pairs that are none', ['secret'], /texts without line breaks/u],
    ['a name with a blank', { 'x secret': 'secret' }, /texts without line breaks/u],
    ['a name with a line break', { 'x-a\r\nx-b': 'secret' }, /texts without line breaks/u],
    ['an empty name', { '': 'secret' }, /texts without line breaks/u],
    ['a value with a line break', { 'x-a': 'secret\r\nhost: other' }, /texts without line breaks/u],
    ['a value with NUL', { 'x-a': 'secret\0' }, /texts without line breaks/u],
    ['a value beyond Latin-1', { 'x-a': 'secret ✓' }, /texts without line breaks/u],
    ['an absent value', { 'x-a': undefined }, /texts without line breaks/u],
    ['several values', { 'x-a': ['secret', 'secret'] }, /texts without line breaks/u],
    ['an object of neither', { 'x-a': {} }, /texts without line breaks/u],
    ["the key's own header", { 'X-API-Key': 'secret' }, /transport does/u],
    ...[
      ...['Host', 'Connection', 'Upgrade', 'Keep-Alive', 'TE', 'Trailer', 'Transfer-Encoding', 'Expect'],
      ...['Content-Length', 'Content-Type', 'Content-Encoding', 'Accept-Encoding', 'Proxy-Authorization'],
      ...['Sec-WebSocket-Key', 'Sec-WebSocket-Protocol', 'Sec-Fetch-Site', 'Range', 'If-Range'],
    ].map((name): [string, unknown, RegExp] => [name, { [name]: 'secret' }, /can't set [a-z-]+:/u]),
  ])('are InvalidConfig where they are %s, without a value in the message', (_, headers, message) => {
    expect(() => read(headers)).toThrow(invalid(message));
    expect(() => read(headers)).not.toThrow(/secret/u);
    expect(read(() => headers)()).toEqual(E.left(invalid(message)));
  });

  it('are InvalidConfig where the function throws, which its message does not repeat', () => {
    const headers = (): never => {
      throw new TypeError('secret');
    };
    expect(read(headers)()).toEqual(E.left(invalid(/^headers threw\.$/u)));
  });

  it('are InvalidConfig where the function gives none', () => {
    expect(read(() => undefined)()).toEqual(E.left(invalid(/texts without line breaks/u)));
  });

  it('call a function each time', () => {
    let calls = 0;
    const headers = read(() => ({ 'x-call': `call number ${(calls += 1)}` }));
    expect([headers(), headers()]).toEqual([
      E.right({ 'x-call': 'call number 1' }),
      E.right({ 'x-call': 'call number 2' }),
    ]);
  });

  it.each([
    [{ 'x-a': 'value' }, ['value']],
    [{ authorization: 'Bearer the-token' }, ['Bearer the-token', 'the-token']],
    [{ authorization: 'Basic dXNlcg==' }, ['Basic dXNlcg==', 'dXNlcg==']],
    [{ cookie: 'a=first; b=second=2' }, ['a=first; b=second=2', 'first', 'second=2']],
    [{ 'x-a': 'four' }, ['four']],
    [
      {
        'x-accept': 'a-secret',
        'x-trace': 'a-second',
        'origin-key': 'a-third',
        'user-agent-key': 'a-fourth',
      },
      ['a-secret', 'a-second', 'a-third', 'a-fourth'],
    ],
    [{ 'accept-language': 'de-DE', traceparent: '00-4bf9-00f0-01', origin: 'https://a.example' }, []],
    [{ 'x-a': 'abc', 'user-agent': 'my-program/1.0', accept: 'application/json' }, []],
  ])('are redacted, whole and in parts: %j', (headers, expected) => {
    const secrets: string[] = [];
    read(headers, secrets)();
    expect([...new Set(secrets)].sort()).toEqual([...expected].sort());
  });

  it.each(['x-host', 'hostname', 'x-content-key', 'te-key'])('may have the name %s', (name) => {
    expect(read({ [name]: 'value' })()).toEqual(E.right({ [name]: 'value' }));
  });

  it('are refused where no secret may be sent, and only where they have one', () => {
    const refused = serviceError('InvalidConfig', { option: 'baseUrl', message: 'In clear text.' });
    const guarded = (headers: Readonly<Record<string, string>>) =>
      ownHeaders(headers, [], () => undefined, refused);
    expect(guarded({ traceparent: '00-4bf9-00f0-01', accept: 'a/b' })()).toMatchObject({ _tag: 'Right' });
    expect(guarded({})()).toEqual(E.right({}));
    expect(() => guarded({ authorization: 'Bearer the-token' })()).toThrow(refused);
  });
});

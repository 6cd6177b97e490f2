import * as E from 'fp-ts/lib/Either.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readServiceUrls, type ServiceUrlOptions } from '../../src/core/http/service-urls.js';
import { leftOf, rightOf } from '../helpers/http-connection.js';

const api = (options: ServiceUrlOptions): string => rightOf(readServiceUrls(options)).api('/api/queue');
const socket = (options: ServiceUrlOptions): string => rightOf(readServiceUrls(options)).socket('c-1', 'k');

describe('readServiceUrls', () => {
  it.each([
    ['https://cloud.example', 'https://cloud.example'],
    ['https://cloud.example/', 'https://cloud.example'],
    ['https://cloud.example//', 'https://cloud.example'],
    ['HTTPS://Cloud.Example', 'https://cloud.example'],
    ['  https://cloud.example  ', 'https://cloud.example'],
    ['https://cloud.example:443', 'https://cloud.example'],
    ['https://cloud.example:8443/', 'https://cloud.example:8443'],
    ['https://cloud.example/prefix', 'https://cloud.example/prefix'],
    ['https://cloud.example/prefix/', 'https://cloud.example/prefix'],
    ['https://cloud.example/a/b//', 'https://cloud.example/a/b'],
    ['https://cloud.example/a%20b', 'https://cloud.example/a%20b'],
    ['https://cloud.example/a b', 'https://cloud.example/a%20b'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://10.0.0.1', 'https://10.0.0.1'],
    ['https://[2001:db8::1]:9', 'https://[2001:db8::1]:9'],
    ['http://127.0.0.1:8188', 'http://127.0.0.1:8188'],
    ['http://127.1', 'http://127.0.0.1'],
    ['http://localhost:8188/x/', 'http://localhost:8188/x'],
    ['http://[::1]:8188', 'http://[::1]:8188'],
    ['http://a.localhost', 'http://a.localhost'],
  ])('A13: keeps the prefix of %j', (baseUrl, prefix) => {
    expect(api({ baseUrl })).toBe(`${prefix}/api/queue`);
    expect(socket({ baseUrl })).toBe(`${prefix.replace('http', 'ws')}/ws?clientId=c-1&token=k`);
  });

  it.each([
    '',
    ' ',
    'cloud.example',
    'cloud.example:443',
    '//cloud.example',
    'https:cloud.example',
    'https:/cloud.example',
    'https://',
    'https:///x',
    'https://a b',
    'https://cloud.example:99999',
    'ftp://cloud.example',
    'ws://127.0.0.1',
    'javascript://cloud.example',
    'https://user@cloud.example',
    'https://user:pass@cloud.example',
    'https://:pass@cloud.example',
    'https://cloud.example/?x=1',
    'https://cloud.example?',
    'https://cloud.example/#x',
    'https://cloud.example/\nx',
    'https://cloud\t.example',
    'https:\\\\cloud.example',
    'https://cloud.example\\x',
  ])('refuses %j without quoting it', (baseUrl) => {
    const error = leftOf(readServiceUrls({ baseUrl }));
    expect(error).toMatchObject({ _tag: 'InvalidConfig', option: 'baseUrl' });
    expect(error.message).toMatch(/^baseUrl .+\.$/u);
    expect(error.message).not.toMatch(/user|pass|cloud/u);
  });

  it('refuses what is no text', () => {
    for (const baseUrl of [undefined, null, 5, {}]) {
      expect(E.isLeft(readServiceUrls({ baseUrl: baseUrl as string }))).toBe(true);
    }
  });

  it.each([
    ['http://cloud.example', 'baseUrl'],
    ['http://169.254.169.254', 'baseUrl'],
    ['http://8.8.8.8:8188', 'baseUrl'],
    ['http://172.32.0.1', 'baseUrl'],
    ['http://127.0.0.1.nip.example', 'baseUrl'],
    ['http://localhost.example', 'baseUrl'],
    ['http://192.168.0.1.example', 'baseUrl'],
    ['https://cloud.example', undefined],
    ['http://127.0.0.1:8188', undefined],
    ['http://10.0.0.1', undefined],
    ['http://172.31.0.1', undefined],
    ['http://192.168.0.5:8188', undefined],
    ['http://100.101.102.103:8188', undefined],
    ['http://[fd12::1]:8188', undefined],
    ['http://emulator:8188', undefined],
    ['http://render.local', undefined],
    ['http://render.home.arpa', undefined],
  ])('A13 N4: says of %s by which option a secret would cross a network: %s', (baseUrl, option) => {
    expect(rightOf(readServiceUrls({ baseUrl })).clearText).toBe(option);
    expect(rightOf(readServiceUrls({ baseUrl, allowClearText: true })).clearText).toBeUndefined();
  });

  it('A13 N4: looks at the address of the socket as well', () => {
    const urls = { baseUrl: 'https://cloud.example', wsUrl: 'ws://live.example' };
    expect(rightOf(readServiceUrls(urls)).clearText).toBe('wsUrl');
  });

  it('takes an address of its own for the socket', () => {
    const baseUrl = 'https://cloud.example/x';
    expect(socket({ baseUrl, wsUrl: 'wss://live.example/y/' })).toBe(
      'wss://live.example/y/ws?clientId=c-1&token=k',
    );
    expect(socket({ baseUrl, wsUrl: 'https://live.example' })).toContain('wss://live.example/ws?');
    expect(socket({ baseUrl, wsUrl: 'ws://127.0.0.1:1' })).toContain('ws://127.0.0.1:1/ws?');
    expect(socket({ baseUrl, workspace: 'w' })).toContain('/x/ws?clientId=c-1&token=k&workspace_id=w');
    expect(socket({ baseUrl, wsUrl: 'wss://http.example' })).toContain('wss://http.example/ws?');
    for (const wsUrl of ['live.example', 'ftp://x', 'wss://u:p@x', '']) {
      expect(leftOf(readServiceUrls({ baseUrl, wsUrl }))).toMatchObject({ option: 'wsUrl' });
    }
  });

  it('A12: encodes the token, the client id and queries', () => {
    const urls = rightOf(readServiceUrls({ baseUrl: 'https://x.example' }));
    expect(new URL(urls.socket('a&b', 'k+/=&?#')).searchParams.get('token')).toBe('k+/=&?#');
    expect(new URL(urls.socket('a&b')).search).toBe('?clientId=a%26b');
    expect(urls.api('/api/view', { filename: 'a b&c#d+é.png', subfolder: '' })).toBe(
      'https://x.example/api/view?filename=a+b%26c%23d%2B%C3%A9.png&subfolder=',
    );
  });

  it('A12: law: any key that can be one comes out of the address as it went in', () => {
    const urls = rightOf(readServiceUrls({ baseUrl: 'https://x.example' }));
    const printable = Array.from({ length: 0x5e }, (_, place) => String.fromCharCode(0x21 + place));
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...printable), minLength: 1 }), (key) => {
        expect(new URL(urls.socket('c', key)).searchParams.get('token')).toBe(key);
      }),
    );
  });

  it('tells the origin', () => {
    expect(rightOf(readServiceUrls({ baseUrl: 'https://x.example:1/y' })).origin).toBe('https://x.example:1');
  });
});

it('an address of another scheme is refused with the one that it should have', () => {
  expect(leftOf(readServiceUrls({ baseUrl: 'ftp://service.example' })).message).toBe(
    'baseUrl must begin with https://.',
  );
  const baseUrl = 'https://service.example';
  expect(leftOf(readServiceUrls({ baseUrl, wsUrl: 'ftp://service.example/ws' })).message).toBe(
    'wsUrl must begin with wss://.',
  );
  for (const wsUrl of ['wss', 'https', 'ws', 'http'].map((scheme) => `${scheme}://service.example/ws`))
    expect(readServiceUrls({ baseUrl, wsUrl })._tag).toBe('Right');
});

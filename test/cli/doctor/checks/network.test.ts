import { Agent } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  addressCheck,
  connectionCheck,
  dnsCheck,
  judgeCertificate,
  proxyCheck,
  tlsCheck,
} from '../../../../src/cli/doctor/checks/network.js';
import { serviceError } from '../../../../src/node.js';
import { httpServer } from '../../../helpers/http-server.js';
import { proxyServer } from '../../../helpers/proxy-server.js';

const patient = (
  baseUrl: string,
  {
    env = {},
    ...more
  }: { readonly env?: object; readonly apiKey?: string | undefined; readonly agent?: Agent } = {},
) =>
  ({
    ...{ settings: { baseUrl, ...more }, url: new URL(baseUrl), io: { env }, patienceMs: 5_000 },
    ...{ stop: new AbortController().signal, connect: () => Promise.resolve({}) },
  }) as never;
/** A patient whose client goes through the proxies of its environment. */
const behind = (baseUrl: string, env: Readonly<Record<string, string>>) =>
  patient(baseUrl, { env, agent: new Agent() });

describe('the check of the address', () => {
  it.each([
    ['https://service.example', { apiKey: 'k' }],
    ['http://service.example', {}],
    ['http://localhost:8188', { apiKey: 'k' }],
    ['http://127.0.0.1:8188', { apiKey: 'k' }],
    ['http://[::1]:8188', { apiKey: 'k' }],
  ])('finds nothing wrong with %s and %o', async (baseUrl, settings) => {
    expect(await addressCheck.look(patient(baseUrl, settings))).toEqual({ status: 'ok', message: baseUrl });
  });

  it.each(['http://service.example', 'http://10.0.0.1', 'http://my.localhost.example'])(
    'warns of a key in clear text to %s',
    async (baseUrl) => {
      expect(await addressCheck.look(patient(baseUrl, { apiKey: 'k' }))).toEqual({
        status: 'warning',
        message: `${baseUrl} takes the key in clear text`,
        fix: 'Use https:, or a tunnel to the machine.',
      });
    },
  );

  it('refuses another protocol, and says what a client says of the settings', async () => {
    expect(await addressCheck.look(patient('ws://service.example'))).toMatchObject({
      status: 'failed',
      message: 'ws://service.example is no address of the web',
    });
    const error = serviceError('InvalidConfig', { option: 'apiKey', message: 'It crosses.', hint: 'Stop.' });
    const connect = () => Promise.reject(error);
    const refused = { ...(patient('http://a.example') as object), connect } as never;
    expect(await addressCheck.look(refused)).toMatchObject({ status: 'failed', message: 'It crosses.' });
    // What is no such error is found by the checks that come later.
    const odd = {
      ...(patient('https://a.example') as object),
      connect: () => Promise.reject(new Error('x')),
    };
    expect(await addressCheck.look(odd as never)).toMatchObject({ status: 'ok' });
  });
});

describe('the check of a proxy', () => {
  const unset = { status: 'skipped', message: 'no proxy is set, or it is not for this address' };

  it('is skipped where none is set, or none is for the address', async () => {
    expect(await proxyCheck.look(behind('http://a.example', {}))).toEqual(unset);
    expect(await proxyCheck.look(behind('http://a.example', { HTTPS_PROXY: 'http://p:1' }))).toEqual(unset);
    expect(await proxyCheck.look(behind('http://a.example', { HTTP_PROXY: '' }))).toEqual(unset);
    expect(await proxyCheck.look(patient('http://a.example', { env: { HTTP_PROXY: 'http://p' } }))).toEqual(
      unset,
    );
  });

  it.each([
    ['http://a.example', 'http_proxy', 'a.example:80'],
    ['http://a.example:81', 'HTTP_PROXY', 'a.example:81'],
    ['https://a.example', 'https_proxy', 'a.example:443'],
    ['https://[::1]', 'HTTPS_PROXY', '[::1]:443'],
    ['https://a.example', 'all_proxy', 'a.example:443'],
    ['http://a.example', 'ALL_PROXY', 'a.example:80'],
  ])('asks it for a tunnel to %s: %s', async (baseUrl, name, target) => {
    await using proxy = await proxyServer();
    const leads = await httpServer(() => undefined);
    proxy.leadsTo = leads.port;
    const found = await proxyCheck.look(behind(baseUrl, { [name]: proxy.url, all_proxy: proxy.url }));
    expect(found).toEqual({ status: 'ok', message: `everything goes through 127.0.0.1:${proxy.port}` });
    expect(proxy.asked.map((asked) => asked.target)).toEqual([target]);
    await leads[Symbol.asyncDispose]();
  });

  it('says that it refuses, which leaves plain requests', async () => {
    await using proxy = await proxyServer();
    proxy.refusal = 403;
    const message = (host: string) => `the proxy 127.0.0.1:${proxy.port} opens no tunnel to ${host} (403)`;
    const env = { all_proxy: proxy.url };
    expect(await proxyCheck.look(behind('https://a.example', env))).toMatchObject({
      status: 'failed',
      message: message('a.example'),
    });
    expect(await proxyCheck.look(behind('http://a.example:81', env))).toMatchObject({
      status: 'warning',
      message: message('a.example:81'),
    });
    proxy.refusal = 407;
    expect(await proxyCheck.look(behind('http://a.example', env))).toMatchObject({
      status: 'failed',
      message: `the proxy 127.0.0.1:${proxy.port} asks for a login, or for another one (407)`,
    });
  });
});

describe('the check of the name', () => {
  it('is skipped for an address without one, and behind a proxy', async () => {
    const nameless = { status: 'skipped', message: 'the address has no name' };
    for (const baseUrl of ['http://127.0.0.1', 'http://[::1]:80'])
      expect(await dnsCheck.look(patient(baseUrl))).toEqual(nameless);
    expect(await dnsCheck.look(behind('http://a.example', { http_proxy: 'http://p:1' }))).toEqual({
      ...{ status: 'skipped', message: 'the proxy resolves the name' },
    });
  });

  it('tells the addresses, or that there are none', async () => {
    expect(await dnsCheck.look(patient('http://localhost'))).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^localhost is (?:127\.0\.0\.1|::1)/u) as string,
    });
    const name = `${'x'.repeat(64)}.example`;
    expect(await dnsCheck.look(patient(`http://${name}`))).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(new RegExp(`^${name} has no address \\(\\w+\\)$`, 'u')) as string,
    });
  });
});

describe('the check of the connection', () => {
  it('says whether the port takes any', async () => {
    await using server = await httpServer(() => undefined);
    expect(await connectionCheck.look(patient(server.origin))).toEqual({
      status: 'ok',
      message: `port ${server.port} takes connections`,
    });
    expect(await connectionCheck.look(patient('http://127.0.0.1:1'))).toMatchObject({
      status: 'failed',
      message: 'port 1 of 127.0.0.1 does not take connections (ECONNREFUSED)',
    });
    expect(await connectionCheck.look(behind('http://a.example', { http_proxy: 'http://p:1' }))).toEqual({
      ...{ status: 'skipped', message: 'the proxy connects' },
    });
  });
});

describe('the check of the certificate', () => {
  it('is skipped without one, and behind a proxy', async () => {
    expect(await tlsCheck.look(patient('http://127.0.0.1:1'))).toEqual({
      ...{ status: 'skipped', message: 'the address is not of https:' },
    });
    expect(await tlsCheck.look(behind('https://a.example', { https_proxy: 'http://p:1' }))).toEqual({
      ...{ status: 'skipped', message: 'it is looked at behind the proxy, by the first answer' },
    });
  });
});

it.each([
  [30.5, 'TLSv1.3', 'ok', 'TLSv1.3, the certificate ends in 30 days'],
  [7.5, null, 'ok', 'TLS, the certificate ends in 7 days'],
  [6.5, 'TLSv1.2', 'warning', 'TLSv1.2, the certificate ends in 6 days'],
])('a certificate is good for %f days', (days, protocol, status, message) => {
  const until = new Date(Date.now() + days * 86_400_000).toUTCString();
  const socket = { getPeerCertificate: () => ({ valid_to: until }), getProtocol: () => protocol };
  expect(judgeCertificate(socket as never)).toMatchObject({ status, message });
});

it('each check says on what it rests, and all of them are of the network but the address', () => {
  expect(
    [addressCheck, proxyCheck, dnsCheck, connectionCheck, tlsCheck].map(({ name, needs, exit }) => [
      ...[name, needs?.join(), exit],
    ]),
  ).toEqual([
    ['address', undefined, 'usage'],
    ['proxy', 'address', 'network'],
    ['dns', 'address', 'network'],
    ['connection', 'address,dns,proxy', 'network'],
    ['tls', 'address,dns,connection,proxy', 'network'],
  ]);
});

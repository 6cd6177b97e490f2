import { agentOf, reason } from '../ask.js';
import { type Check, failed, type Found, ok, type Patient, skipped, warning } from '../finding.js';
import { type IncomingMessage, request as overHttp } from 'node:http';
import { commandHint } from '../../command-options.js';
import { connect as overTcp } from 'node:net';
import { connect as overTls, type TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';
import { isIP } from 'node:net';
import { isServiceError } from '../../../node.js';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request as overHttps } from 'node:https';

/** Whether the address makes sense, and whether a client takes it with the key and headers that are set. */
export const addressCheck: Check = {
  name: 'address',
  exit: 'usage',
  look: async (patient) => {
    const { url, settings } = patient;
    const { protocol, hostname, origin } = url;
    if (protocol !== 'http:' && protocol !== 'https:')
      return failed(`${origin} is no address of the web`, 'Begin it with https:// or http://.');
    const refused = await patient.connect().then(
      () => undefined,
      (error: unknown) => (isServiceError(error) ? error : undefined),
    );
    if (refused !== undefined) return failed(refused.message, commandHint(refused));
    const isClear = protocol === 'http:' && settings.apiKey !== undefined && !isLocal(hostname);
    return isClear
      ? warning(`${origin} takes the key in clear text`, 'Use https:, or a tunnel to the machine.')
      : ok(origin);
  },
};

/** Whether a proxy stands between, and answers. */
export const proxyCheck: Check = {
  name: 'proxy',
  needs: ['address'],
  exit: 'network',
  look: async (patient) => {
    const proxy = proxyOf(patient);
    if (proxy === undefined) return skipped('no proxy is set, or it is not for this address');
    const at = placeOf(proxy);
    const where = `${at.host}:${at.port}`;
    try {
      const status = await tunnelStatus(proxy, patient);
      return status >= 200 && status < 300
        ? ok(`everything goes through ${where}`)
        : refusal(where, status, patient.url);
    } catch (error) {
      return failed(
        `the proxy ${where} does not take connections (${reason(error)})`,
        'Correct HTTPS_PROXY or HTTP_PROXY, or list the host in NO_PROXY.',
      );
    }
  },
};

/** What the proxy answers where it is asked for a tunnel to the service, with its login. */
const tunnelStatus = async (proxy: URL, patient: Patient): Promise<number> => {
  const { host, port } = placeOf(patient.url);
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const login = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
  const request = (proxy.protocol === 'https:' ? overHttps : overHttp)({
    ...{ ...placeOf(proxy), method: 'CONNECT', path: target, agent: false, signal: waiting(patient) },
    headers: {
      host: target,
      ...(login !== ':' && { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
    },
  });
  request.end();
  const [response, socket] = (await once(request, 'connect')) as [IncomingMessage, Duplex];
  socket.destroy();
  return response.statusCode ?? 0;
};

const refusal = (where: string, status: number, url: URL): Found => {
  if (status === 407)
    return failed(
      `the proxy ${where} asks for a login, or for another one (407)`,
      'Write user and password into its address: http://user:password@host:port.',
    );
  const message = `the proxy ${where} opens no tunnel to ${url.host} (${status})`;
  const fix = 'Ask who runs the proxy to allow this host and port, or list the host in NO_PROXY.';
  // Requests of http: need no tunnel; live events do.
  return url.protocol === 'https:' ? failed(message, fix) : warning(message, fix);
};

/** Whether the name of the host has an address. */
export const dnsCheck: Check = {
  name: 'dns',
  needs: ['address'],
  exit: 'network',
  look: async (patient) => {
    const host = bare(patient.url.hostname);
    if (proxyOf(patient) !== undefined) return skipped('the proxy resolves the name');
    if (isIP(host) !== 0) return skipped('the address has no name');
    try {
      const found = await lookup(host, { all: true });
      return ok(`${host} is ${found.map(({ address }) => address).join(', ')}`);
    } catch (error) {
      return failed(
        `${host} has no address (${reason(error)})`,
        'Look for a slip in the name, and whether this machine reaches a name server.',
      );
    }
  },
};

/** Whether something listens there. */
export const connectionCheck: Check = {
  name: 'connection',
  needs: ['address', 'dns', 'proxy'],
  exit: 'network',
  look: async (patient) => {
    if (proxyOf(patient) !== undefined) return skipped('the proxy connects');
    const { host, port } = placeOf(patient.url);
    try {
      const socket = overTcp({ host, port });
      await once(socket, 'connect', { signal: waiting(patient) });
      socket.destroy();
      return ok(`port ${port} takes connections`);
    } catch (error) {
      return failed(
        `port ${port} of ${host} does not take connections (${reason(error)})`,
        'Start the service there, correct host and port, or open the firewall between.',
      );
    }
  },
};

/** Whether the certificate is one that this machine trusts, and for how long. */
export const tlsCheck: Check = {
  name: 'tls',
  needs: ['address', 'dns', 'connection', 'proxy'],
  exit: 'network',
  look: async (patient) => {
    const { url } = patient;
    if (url.protocol !== 'https:') return skipped('the address is not of https:');
    if (proxyOf(patient) !== undefined)
      return skipped('it is looked at behind the proxy, by the first answer');
    const { host, port } = placeOf(url);
    const socket = overTls({ host, port, ...(isIP(host) === 0 && { servername: host }) });
    try {
      await once(socket, 'secureConnect', { signal: waiting(patient) });
      return judgeCertificate(socket);
    } catch (error) {
      return failed(
        `the certificate of ${host} is not trusted, or there is no TLS (${reason(error)})`,
        'Renew it or correct the name; a certificate of your own is trusted by NODE_EXTRA_CA_CERTS.',
      );
    } finally {
      socket.destroy();
    }
  },
};

/** Judges how long the certificate of a connection is good for. */
export const judgeCertificate = (
  socket: Pick<TLSSocket, 'getPeerCertificate' | 'getProtocol'>,
): ReturnType<typeof ok> => {
  const until = Date.parse(socket.getPeerCertificate().valid_to);
  const days = Math.floor((until - Date.now()) / 86_400_000);
  const text = `${socket.getProtocol() ?? 'TLS'}, the certificate ends in ${days} days`;
  return days < 7 ? warning(text, 'Ask the operator of the service to renew it.') : ok(text);
};

/** The proxy that the client would go through. */
const proxyOf = ({ io: { env }, settings, url }: Patient): URL | undefined => {
  if (agentOf(settings, url) === undefined) return undefined;
  const names = url.protocol === 'https:' ? ['https_proxy', 'all_proxy'] : ['http_proxy', 'all_proxy'];
  const set = names
    .flatMap((name) => [env[name], env[name.toUpperCase()]])
    .find((value = '') => value !== '');
  const text = set === undefined || set.includes('://') ? set : `http://${set}`;
  return text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
};

const placeOf = ({ hostname, port, protocol }: URL): { readonly host: string; readonly port: number } => ({
  host: bare(hostname),
  port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
});

/** IPv6 stands in brackets in addresses. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/gu, '');

const isLocal = (hostname: string): boolean => /^(?:localhost|127\.|\[::1\])/u.test(hostname);

const waiting = ({ stop, patienceMs }: Patient): AbortSignal =>
  AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]);

import { agentOf, reason } from '../ask.js';
import { type Check, failed, ok, type Patient, skipped, warning } from '../finding.js';
import { connect as overTcp } from 'node:net';
import { connect as overTls, type TLSSocket } from 'node:tls';
import { isIP } from 'node:net';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';

/** Whether the address makes sense. */
export const addressCheck: Check = {
  name: 'address',
  exit: 'usage',
  look: ({ url, settings }) => {
    const { protocol, hostname, origin } = url;
    if (protocol !== 'http:' && protocol !== 'https:')
      return Promise.resolve(
        failed(`${origin} is no address of the web`, 'Begin it with https:// or http://.'),
      );
    const isClear = protocol === 'http:' && settings.apiKey !== undefined && !isLocal(hostname);
    return Promise.resolve(
      isClear
        ? warning(`${origin} takes the key in clear text`, 'Use https:, or a tunnel to the machine.')
        : ok(origin),
    );
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
    const where = `${proxy.hostname}:${proxy.port === '' ? '80' : proxy.port}`;
    try {
      const socket = overTcp({ host: proxy.hostname, port: Number(proxy.port === '' ? 80 : proxy.port) });
      await once(socket, 'connect', { signal: waiting(patient) });
      socket.destroy();
      return ok(`everything goes through ${where}`);
    } catch (error) {
      return failed(
        `the proxy ${where} does not take connections (${reason(error)})`,
        'Correct HTTPS_PROXY or HTTP_PROXY, or list the host in NO_PROXY.',
      );
    }
  },
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

const judgeCertificate = (socket: TLSSocket): ReturnType<typeof ok> => {
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
  return set !== undefined && URL.canParse(set) ? new URL(set) : undefined;
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

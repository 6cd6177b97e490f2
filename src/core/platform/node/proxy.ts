import type { AgentOfUrl } from './agents.js';
import { isLoopback } from '../host-class.js';
import { type Proxy, SecureTunnelAgent, TunnelAgent } from './tunnel.js';
import { serviceError } from '../../errors/service-error.js';

/** Makes the agents for one HTTP proxy; `proxyAgent` of the entries. */
export const httpProxyAgent = (proxy: string | URL): AgentOfUrl => agentOf(String(proxy), 'agent');

/** Makes the agents for the proxies that the environment names; `proxyFromEnv` of the entries. */
export const envProxyAgent = (env: Readonly<Record<string, string | undefined>>): AgentOfUrl | undefined => {
  const read = (name: string): string => (env[name.toLowerCase()] ?? env[name] ?? '').trim();
  const agentFrom = (...names: readonly string[]): AgentOfUrl | undefined => {
    const name = names.find((one) => read(one) !== '');
    return name === undefined ? undefined : agentOf(read(name), name);
  };
  const secure = agentFrom('HTTPS_PROXY', 'ALL_PROXY');
  const clear = agentFrom('HTTP_PROXY', 'ALL_PROXY');
  if (secure === undefined && clear === undefined) return undefined;
  const direct = read('NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/u);
  return (url) => {
    if (isLoopback(url.hostname) || direct.some((entry) => matches(entry, url))) return undefined;
    return (isSecure(url) ? secure : clear)?.(url);
  };
};

const isSecure = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'wss:';

/** Whether an entry of `NO_PROXY` names the host of a URL, or a domain that it is in. */
const matches = (entry: string, url: URL): boolean => {
  if (entry === '' || entry === '*') return entry === '*';
  const [, name = '', port = ''] = /^(?:\*?\.)?(\[.*\]|[^:]*|[^:]*:.*:.*?)(?::(\d+))?$/u.exec(entry) ?? [];
  const bare = (host: string): string => host.replace(/^\[|\]$|\.$/gu, '');
  const host = bare(url.hostname);
  const ownPort = url.port === '' ? (isSecure(url) ? '443' : '80') : url.port;
  return (port === '' || port === ownPort) && (host === bare(name) || host.endsWith(`.${bare(name)}`));
};

const agentOf = (proxy: string, option: string): AgentOfUrl => {
  const parsed = readProxy(proxy);
  if (parsed === undefined) {
    throw serviceError('InvalidConfig', {
      option,
      message: `${option} is no address of an HTTP proxy: it takes the form http://user:password@host:port.`,
      hint: 'For SOCKS and the like, give createClient an http.Agent that speaks it.',
    });
  }
  const clear = new TunnelAgent(parsed);
  const secure = new SecureTunnelAgent(parsed);
  return (url) => (isSecure(url) ? secure : clear);
};

/** A proxy without a scheme is one of `http:`, as with curl. */
const readProxy = (text: string): Proxy | undefined => {
  try {
    const { protocol, hostname, port, username, password } = new URL(
      /^[a-z\d+.-]+:\/\//iu.test(text) ? text : `http://${text}`,
    );
    const secure = protocol === 'https:';
    if (!secure && protocol !== 'http:') return undefined;
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return {
      secure,
      host: hostname.replace(/^\[|\]$/gu, ''),
      port: port === '' ? (secure ? 443 : 80) : Number(port),
      headers:
        login === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` },
    };
  } catch {
    return undefined;
  }
};

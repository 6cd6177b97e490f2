import { type Either, left, right } from '../../../core/protocol/either.js';
import { hostClass } from '../../../core/platform/host-class.js';

/** An address that a webhook may have. */
export interface WebhookTarget {
  readonly url: URL;
  /** True if the operator allows the host, whatever address it has. */
  readonly isAllowed: boolean;
}

/**
 * Reads the address of a webhook: `http:` or `https:`, without credentials, on a public host or one of `allowHosts`.
 *
 * That is what its text tells; what its name leads to is checked by the sender, when it connects. Left says what is wrong.
 */
export const readTarget = (text: string, allowHosts: readonly string[]): Either<string, WebhookTarget> => {
  if (text.length > longestUrl) return left(`it has more than ${longestUrl} characters`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return left('it is no address');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return left('it is neither https: nor http:');
  if (url.username !== '' || url.password !== '') return left('it holds credentials');
  if (isAmong(allowHosts, url)) return right({ url, isAllowed: true });
  return hostClass(url.hostname) === 'public'
    ? right({ url, isAllowed: false })
    : left('its host is not public');
};

/** An address names no port where it is that of its scheme; a list of hosts may. */
const isAmong = (hosts: readonly string[], { protocol, hostname, port }: URL): boolean => {
  const used = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return hosts.some((host) => [hostname, `${hostname}:${used}`].includes(host.toLowerCase()));
};

/** Whether a text is a host, with or without a port, such as `hooks.internal` or `10.0.0.5:8080`. */
export const isHost = (text: string): boolean =>
  /^[^/\\?#@\s]+$/u.test(text) && URL.canParse(`http://${text}`);

const longestUrl = 2_048;

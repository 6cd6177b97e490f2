import * as E from '../protocol/either.js';
import type { ServiceErrorOf } from '../errors/errors.js';
import { isOwnNetwork } from '../platform/host-class.js';
import { serviceError } from '../errors/service-error.js';

/** Where a service is, as the caller says it. */
export interface ServiceUrlOptions {
  readonly baseUrl: string;
  readonly wsUrl?: string;
  /** Lets secrets cross a network in clear text. */
  readonly allowClearText?: boolean;
  /** Named to the socket, where no header can be. */
  readonly workspace?: string | undefined;
}

/** Where a service is, checked. */
export interface ServiceUrls {
  /** The address of a path such as `/api/queue`, with its query. */
  readonly api: (path: string, query?: Readonly<Record<string, string>>) => string;
  /** The socket's address; it holds the key, so it is never shown. */
  readonly socket: (clientId: string, key?: string) => string;
  /** Scheme, host and port of `api`. */
  readonly origin: string;
  /** The option whose address would carry a secret in clear text over a network; undefined if none does, or where that is allowed. */
  readonly clearText: 'baseUrl' | 'wsUrl' | undefined;
  /** What to do about a missing route, where `baseUrl` itself is the likely cause. */
  readonly missingRouteHint: string | undefined;
}

/**
 * Checks the addresses of a service and derives every other one from them.
 *
 * A path prefix is kept, `/api/…` and `/ws` are added to it; the socket's address is by default `baseUrl` with its scheme
 * changed. Left is `InvalidConfig`: for what is no address, or holds credentials, a query or a fragment. No message quotes the
 * address (docs/protocol.md, chapter 1). Clear text is refused only where a secret would cross it: by those that send one.
 */
export const readServiceUrls = ({
  baseUrl,
  wsUrl,
  allowClearText = false,
  workspace,
}: ServiceUrlOptions): E.Either<ServiceErrorOf<'InvalidConfig'>, ServiceUrls> => {
  const base = readUrl('baseUrl', baseUrl, http);
  if (E.isLeft(base)) return base;
  const socket = wsUrl === undefined ? base : readUrl('wsUrl', wsUrl, webSocket);
  if (E.isLeft(socket)) return socket;
  const isOpen = ({ protocol, hostname }: URL): boolean =>
    !allowClearText && /^(?:http|ws):/u.test(protocol) && !isOwnNetwork(hostname);
  const [apiPrefix, socketPrefix] = [prefixOf(base.right), prefixOf(socket.right).replace(/^http/u, 'ws')];
  return E.right({
    api: (path, query) => {
      const search = new URLSearchParams(query).toString();
      return `${apiPrefix}${path}${search === '' ? '' : `?${search}`}`;
    },
    socket: (clientId, key) =>
      `${socketPrefix}/ws?${new URLSearchParams({ clientId, ...(key === undefined ? {} : { token: key }), ...(workspace === undefined ? {} : { workspace_id: workspace }) }).toString()}`,
    origin: base.right.origin,
    clearText: isOpen(base.right) ? 'baseUrl' : isOpen(socket.right) ? 'wsUrl' : undefined,
    missingRouteHint: apiPrefix.endsWith('/api')
      ? 'baseUrl ends in /api, and /api is added to it: leave it out of baseUrl.'
      : undefined,
  });
};

interface Schemes {
  readonly secure: readonly [string, ...string[]];
  readonly clear: readonly string[];
}

const http: Schemes = { secure: ['https:'], clear: ['http:'] };
const webSocket: Schemes = { secure: ['wss:', 'https:'], clear: ['ws:', 'http:'] };

const readUrl = (
  option: string,
  text: string,
  { secure, clear }: Schemes,
): E.Either<ServiceErrorOf<'InvalidConfig'>, URL> => {
  const refuse = (message: string): E.Either<ServiceErrorOf<'InvalidConfig'>, URL> =>
    E.left(serviceError('InvalidConfig', { option, message: `${option} ${message}` }));
  const url = parse(text);
  if (url === undefined) return refuse('is no address: it takes the form https://host/prefix.');
  if (!secure.includes(url.protocol) && !clear.includes(url.protocol)) {
    return refuse(`must begin with ${secure[0]}//.`);
  }
  if (url.username !== '' || url.password !== '') return refuse('must not hold credentials.');
  if (/[?#]/u.test(text)) return refuse('must not have a query or a fragment.');
  return E.right(url);
};

/** `URL` would silently drop line breaks and tabs, and a forgotten slash. */
const parse = (text: unknown): URL | undefined => {
  if (
    typeof text !== 'string' ||
    /[\u0000-\u001f\u007f\\]/u.test(text) ||
    !/^\s*[a-z]+:\/\/[^/]/iu.test(text)
  ) {
    return undefined;
  }
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
};

const prefixOf = (url: URL): string => `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/u, '')}`;

import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { hostClass, type HostClass } from '../protocol/host-class.js';
import { TransportError } from './transport-error.js';

/** Opens a TCP or TLS connection, as undici asks for it. */
export type Connector = buildConnector.connector;

/** Makes a connector that finds addresses by `lookup`; undici's `buildConnector` is one. */
export type MakeConnector = (options: {
  readonly timeout: number;
  readonly lookup: LookupFunction;
}) => Connector;

/** How {@link guardedConnector} reaches the world. */
export interface GuardedConnectorOptions {
  readonly timeout: number;
  readonly lookup: LookupFunction;
  readonly connector: MakeConnector;
}

/**
 * Makes a connector that opens nothing but connections to addresses of one class.
 *
 * Looked at are the very addresses that are connected to: literals before the connection, those of a name as its lookup
 * gives them. One address of another class refuses the name as a whole, so that no answer can hide behind a good one.
 */
export const guardedConnector = (
  allowed: HostClass,
  { timeout, lookup, connector }: GuardedConnectorOptions,
): Connector => {
  const open = connector({ timeout, lookup: guardedLookup(allowed, lookup) });
  return (options, callback) => {
    const address = options.hostname.replace(/^\[|\]$/gu, '');
    if (isIP(address) !== 0 && addressClass(address) !== allowed) callback(refusal(), null);
    else open(options, callback);
  };
};

const guardedLookup =
  (allowed: HostClass, lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      const known = error === null && addresses.every((address) => addressClass(address) === allowed);
      if (error !== null || known) callback(error, found, family);
      else callback(refusal(), options.all === true ? [] : '', 0);
    });

/** `URL` puts every notation of an address into the one that {@link hostClass} reads; it knows no zones. */
const addressClass = (address: string): HostClass => {
  const [plain = ''] = address.split('%', 1);
  switch (isIP(plain)) {
    case 4:
      return hostClass(plain);
    case 6:
      return hostClass(new URL(`http://[${plain}]/`).hostname);
    default:
      return 'forbidden';
  }
};

const refusal = (): TransportError =>
  new TransportError('EADDRCLASS', 'the name leads to an address that is not followed', false);

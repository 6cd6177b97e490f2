import { BlockList, isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import { serviceError } from '../../../core/errors/service-error.js';

/** What a proxy says of the request as it got it. */
export interface Forwarded {
  readonly proto?: 'http' | 'https' | undefined;
  readonly host?: string | undefined;
}

/** Reads what the proxy at an address says; nothing of one that is not trusted. */
export type TrustedProxies = (address: string | undefined, headers: IncomingHttpHeaders) => Forwarded;

/**
 * Makes {@link TrustedProxies} of addresses and of networks such as `10.0.0.0/8`. Throws `InvalidConfig` for what is neither.
 *
 * It reads `Forwarded` (RFC 7239), or else `X-Forwarded-Proto` and `X-Forwarded-Host`; of several values the last one, which the proxy
 * nearest to the gateway has added.
 */
export const trustedProxies = (addresses: readonly string[]): TrustedProxies => {
  const list = new BlockList();
  for (const address of addresses) add(list, address);
  return (address = '', headers) => {
    const family = isIP(address);
    if (family === 0 || !list.check(address, family === 4 ? 'ipv4' : 'ipv6')) return {};
    return typeof headers.forwarded === 'string' ? readForwarded(headers.forwarded) : readOwnHeaders(headers);
  };
};

const add = (list: BlockList, text: string): void => {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/u.exec(text) ?? [];
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  if (family === 0 || Number(bits ?? most) > most) {
    throw serviceError('InvalidConfig', {
      option: 'trustProxies',
      message: `A proxy is an address or a network such as 10.0.0.0/8, and not ${JSON.stringify(text)}.`,
    });
  }
  list.addSubnet(address, Number(bits ?? most), family === 4 ? 'ipv4' : 'ipv6');
};

const readForwarded = (header: string): Forwarded => {
  const last = lastOf(header) ?? '';
  const pairs = last.split(';').map((pair) => /^\s*(\w+)="?([^"]*?)"?\s*$/u.exec(pair));
  const valueOf = (name: string): string | undefined =>
    pairs.find((pair) => pair?.[1]?.toLowerCase() === name)?.[2];
  return { proto: schemeOf(valueOf('proto')), host: valueOf('host') };
};

const readOwnHeaders = (headers: IncomingHttpHeaders): Forwarded => ({
  proto: schemeOf(lastOf(headers['x-forwarded-proto'])),
  host: lastOf(headers['x-forwarded-host']),
});

const lastOf = (header: string | readonly string[] | undefined): string | undefined =>
  [header ?? ''].flat().join().split(',').at(-1)?.trim() || undefined;

const schemeOf = (text: string | undefined): 'http' | 'https' | undefined => {
  const scheme = text?.toLowerCase();
  return scheme === 'http' || scheme === 'https' ? scheme : undefined;
};

import { isIP, type LookupFunction } from 'node:net';
import { hostClass, type HostClass } from '../../protocol/host-class.js';
import { TransportError } from '../transport-error.js';

/**
 * Narrows a lookup to names whose addresses are all of one class.
 *
 * What it gives is what is connected to, so that a name can't be of one class here and of another there. One address of
 * another class refuses the whole name: no answer can hide behind a good one.
 */
export const lookupOfClass =
  (allowed: HostClass, lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      const fits = error === null && addresses.every((address) => addressClass(address) === allowed);
      if (error !== null || fits) callback(error, found, family);
      else callback(addressRefused(), options.all === true ? [] : '', 0);
    });

/** Throws for a literal address of another class: those are connected to without any lookup. */
export const checkLiteral = ({ hostname }: URL, allowed: HostClass): void => {
  const address = hostname.replace(/^\[|\]$/gu, '');
  if (isIP(address) !== 0 && addressClass(address) !== allowed) throw addressRefused();
};

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

const addressRefused = (): TransportError =>
  new TransportError('EADDRCLASS', 'the name leads to an address that is not followed', false);

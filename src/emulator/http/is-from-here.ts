import type { IncomingMessage } from 'node:http';

/**
 * Whether a request is meant for this machine and comes from it, as far as its headers say: its `Host` is a loopback
 * name, and so is its `Origin`, if it has one. A page from elsewhere, and a name that was made to lead here, have no
 * business with an emulator.
 */
export const isFromHere = ({ headers: { host, origin } }: Pick<IncomingMessage, 'headers'>): boolean =>
  (host === undefined || isLoopback(`http://${host}`)) && (origin === undefined || isLoopback(origin));

const isLoopback = (address: string): boolean =>
  URL.canParse(address) &&
  /^(?:(?:[^.]+\.)*localhost|127(?:\.\d+){3}|\[::1\])$/u.test(new URL(address).hostname);
